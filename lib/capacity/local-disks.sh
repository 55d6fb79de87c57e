# Puts images and containers on the disks of the instance, before the ECS agent starts. Several disks become one file
# system. The ECS agent loads its own image again from the root volume. Runs as root at the first boot.
mapfile -t disks < <(lsblk --nodeps --noheadings --output PATH,MODEL | awk '/Instance Storage/ {print $1}')
if [ "${#disks[@]}" -gt 1 ]; then
  command -v mdadm > /dev/null || dnf install --assumeyes --quiet mdadm
  mdadm --create /dev/md0 --run --level 0 --raid-devices "${#disks[@]}" "${disks[@]}" && disks=(/dev/md0)
fi
if [ "${#disks[@]}" -gt 0 ] && mkfs.xfs -f -q "${disks[0]}"; then
  systemctl stop docker.socket docker containerd
  mkdir -p /mnt/local
  echo "${disks[0]} /mnt/local xfs noatime,nofail 0 0" >> /etc/fstab
  mount /mnt/local
  for folder in docker containerd; do
    mkdir -p "/mnt/local/$folder" "/var/lib/$folder"
    echo "/mnt/local/$folder /var/lib/$folder none bind,nofail 0 0" >> /etc/fstab
    mount "/var/lib/$folder"
  done
  systemctl start containerd docker
fi

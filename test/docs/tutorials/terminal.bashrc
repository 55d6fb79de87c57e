# Settings of the shell in a terminal of the tests: no echo, and prompts with characters that no program prints. The
# prompt after a command contains its exit code.
stty -echo
PS1=$'\x1e${?}\x1f'
PS2=$'\x1e>\x1f'

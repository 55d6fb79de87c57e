/** Tabs of an endpoint's page, with their names in the address. */

export const tabs = [
  { id: 'jobs', label: 'Jobs' },
  { id: 'failures', label: 'Failures' },
  { id: 'workers', label: 'Workers' },
  { id: 'releases', label: 'Releases' },
  { id: 'webhooks', label: 'Webhooks' },
  { id: 'logs', label: 'Logs' },
  { id: 'cost', label: 'Cost' },
  { id: 'settings', label: 'Settings' },
] as const;

export type TabId = (typeof tabs)[number]['id'];

/**
 * Returns the tab with this name.
 * @param name from the address; an unknown name selects the first tab
 */
export const tabOf = (name: string | null): TabId => tabs.find(({ id }) => id === name)?.id ?? tabs[0].id;

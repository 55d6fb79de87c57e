/** Provides all pages with the client of the service and with the session of the signed-in user. */
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Client, createClient } from '../api/client.ts';
import type { Session } from '../api/management-types.ts';
import type { ConsoleConfig } from './config.ts';
import type { SignIn } from './sign-in.ts';

interface Service {
  readonly client: Client;
  readonly signIn: SignIn;
  readonly config: ConsoleConfig;
}

const ServiceContext = createContext<Service | undefined>(undefined);

interface ProviderProps extends Omit<Service, 'client'> {
  readonly children: ReactNode;
}

export function ServiceProvider({ signIn, config, children }: ProviderProps) {
  const service = useMemo(() => ({ signIn, config, client: createClient(signIn) }), [signIn, config]);
  return <ServiceContext value={service}>{children}</ServiceContext>;
}

export function useService(): Service {
  const service = useContext(ServiceContext);
  if (!service) throw new Error('The page is not below ServiceProvider.');
  return service;
}

export const useClient = (): Client => useService().client;

/** Returns the query of the signed-in user's session. */
export function useSession() {
  const client = useClient();
  return useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => client.json<Session>('/v1/session', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

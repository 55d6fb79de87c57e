/** Provides texts of the components, such as labels for screen readers. Their 6 KB load after the first paint. */
import { I18nProvider, type I18nProviderProps } from '@cloudscape-design/components/i18n';
import { type ReactNode, useEffect, useState } from 'react';

export function Texts({ children }: { readonly children: ReactNode }) {
  const [messages, setMessages] = useState<readonly I18nProviderProps.Messages[]>([]);
  useEffect(() => {
    // Without these texts the console works, but with fewer labels.
    import('@cloudscape-design/components/i18n/messages/all.en').then(
      (loaded) => setMessages([loaded.default]),
      () => undefined,
    );
  }, []);
  return (
    <I18nProvider locale="en" messages={messages}>
      {children}
    </I18nProvider>
  );
}

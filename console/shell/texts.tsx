/**
 * Texts of the components, such as labels for screen readers. They come after the first paint: 6 KB that it does not
 * need.
 */
import { I18nProvider, type I18nProviderProps } from '@cloudscape-design/components/i18n';
import { type ReactNode, useEffect, useState } from 'react';

export function Texts({ children }: { readonly children: ReactNode }) {
  const [messages, setMessages] = useState<readonly I18nProviderProps.Messages[]>([]);
  useEffect(() => {
    // Without them the console works, with fewer labels.
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

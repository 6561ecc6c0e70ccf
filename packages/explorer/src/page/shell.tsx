/** What stands around a run: the page without a file, and the theme. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';

const THEMES = ['auto', 'light', 'dark'] as const;

/** The page before a file is opened. */
export function Empty({ onFiles }: { readonly onFiles: (files: FileList | null) => void }): VNode {
  return (
    <section class="card empty" aria-label="Open a file">
      <h1>Open a run</h1>
      <p class="subject">Drop a ledger or a report anywhere on this page, or choose one.</p>
      <p>
        <input
          type="file"
          aria-label="a ledger or a report"
          onChange={(event) => onFiles(event.currentTarget.files)}
        />
      </p>
      <p class="because">
        It is read and checked here. Nothing leaves this page: it may not open a connection. There is no run
        yet? Type <code>assay demo</code>.
      </p>
    </section>
  );
}

/** Light, dark, or as the system says. Kept for this page only: a file has no store. */
export function Theme(): VNode {
  const [theme, setTheme] = useState<(typeof THEMES)[number]>('auto');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return (
    <label class="theme">
      <span class="away">theme</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as typeof theme)}>
        {THEMES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

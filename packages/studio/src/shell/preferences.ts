import { createStore } from 'zustand/vanilla';
import { attempt } from './attempt.ts';

export const themes = ['system', 'light', 'dark'] as const;

type Theme = (typeof themes)[number];

/** What the user set for this browser. */
interface Preferences {
  theme: Theme;
  /** Whether single letters are commands. */
  hasSingleKeys: boolean;
}

const KEY = 'baton-studio';

const defaults: Preferences = { theme: 'system', hasSingleKeys: true };

/** The preferences, stored in this browser; without storage, for as long as the page is open. */
export const preferences = createStore<Preferences>(read);

/** Changes preferences, here and in the browser's other tabs from their next load on. */
export function setPreferences(change: Partial<Preferences>): void {
  preferences.setState(change);
  attempt(() => localStorage.setItem(KEY, JSON.stringify(preferences.getState())));
}

function read(): Preferences {
  const kept = attempt(() => JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) ?? {};
  const theme = themes.find((each) => each === kept.theme) ?? defaults.theme;
  return { theme, hasSingleKeys: kept.hasSingleKeys ?? defaults.hasSingleKeys };
}

/** Applies the theme, and every later change of it, through `data-theme`, as any page with the components does. */
export function applyTheme(): void {
  apply(preferences.getState().theme);
  preferences.subscribe(({ theme }, before) => {
    if (theme !== before.theme) apply(theme);
  });
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme;
}

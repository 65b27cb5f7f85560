import type { ComponentType } from 'react';
import type { ScreenName } from './router.ts';

/** What the address of a screen names. */
export interface ScreenProps {
  id?: string;
}

/** The chunk of one screen. */
export type ScreenPart = ComponentType<ScreenProps>;

/** The screens by name: the title, and the chunk, which is loaded when the screen is first shown. */
export const screens: Readonly<Record<ScreenName, { title: string; load: () => Promise<{ default: ScreenPart }> }>> = {
  home: { title: 'Home', load: () => import('../screens/home/home.tsx') },
  brainstorm: { title: 'Brainstorm', load: () => import('../screens/brainstorm/brainstorm.tsx') },
  inbox: { title: 'Inbox', load: () => import('../screens/inbox/inbox.tsx') },
  handoff: { title: 'Handoff', load: () => import('../screens/handoff/handoff.tsx') },
  review: { title: 'Review', load: () => import('../screens/review/review.tsx') },
  run: { title: 'Plan run', load: () => import('../screens/run/run.tsx') },
  lineage: { title: 'Lineage', load: () => import('../screens/lineage/lineage.tsx') },
  plans: { title: 'Plans', load: () => import('../screens/plan/plans.tsx') },
  import: { title: 'Import', load: () => import('../screens/import/import.tsx') },
  settings: { title: 'Settings', load: () => import('../screens/settings/settings.tsx') },
};

const loaded = new Map<ScreenName, ScreenPart>();

/** A screen whose chunk is loaded already. */
export function readScreen(name: ScreenName): ScreenPart | undefined {
  return loaded.get(name);
}

/** Loads a screen's chunk. @throws the browser's error where the server does not deliver it. */
export async function loadScreen(name: ScreenName): Promise<ScreenPart> {
  const { default: part } = await screens[name].load();
  loaded.set(name, part);
  return part;
}

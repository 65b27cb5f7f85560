import type { ComponentType } from 'react';
import type { ScreenName } from './router.ts';

/** The props of a screen: what its address names. */
export interface ScreenProps {
  id?: string;
}

/** The chunk of one screen. */
export type ScreenPart = ComponentType<ScreenProps>;

/** The screens, each a chunk that is loaded when it is first shown. */
const parts: Readonly<Record<ScreenName, () => Promise<{ default: ScreenPart }>>> = {
  home: () => import('../screens/home/home.tsx'),
  brainstorm: () => import('../screens/brainstorm/brainstorm.tsx'),
  inbox: () => import('../screens/inbox/inbox.tsx'),
  handoff: () => import('../screens/handoff/handoff.tsx'),
  review: () => import('../screens/review/review.tsx'),
  run: () => import('../screens/run/run.tsx'),
  lineage: () => import('../screens/lineage/lineage.tsx'),
  plans: () => import('../screens/plan/plans.tsx'),
  import: () => import('../screens/import/import.tsx'),
  settings: () => import('../screens/settings/settings.tsx'),
};

const loaded = new Map<ScreenName, ScreenPart>();

/** A screen whose chunk is loaded already. */
export function readScreen(name: ScreenName): ScreenPart | undefined {
  return loaded.get(name);
}

/** Loads a screen's chunk. @throws the browser's error where the server does not deliver it. */
export async function loadScreen(name: ScreenName): Promise<ScreenPart> {
  const { default: part } = await parts[name]();
  loaded.set(name, part);
  return part;
}

import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { ScreenName } from './router.ts';

/** What a screen is given: what its address names. */
export interface ScreenProps {
  id?: string;
}

/** The screens, each a part of its own that is loaded when it is first shown. */
export const screens: Readonly<Record<ScreenName, LazyExoticComponent<ComponentType<ScreenProps>>>> = {
  brainstorm: lazy(() => import('../screens/brainstorm/brainstorm.tsx')),
  inbox: lazy(() => import('../screens/inbox/inbox.tsx')),
  handoff: lazy(() => import('../screens/handoff/handoff.tsx')),
  review: lazy(() => import('../screens/review/review.tsx')),
  run: lazy(() => import('../screens/run/run.tsx')),
  lineage: lazy(() => import('../screens/lineage/lineage.tsx')),
  plans: lazy(() => import('../screens/plan/plans.tsx')),
  import: lazy(() => import('../screens/import/import.tsx')),
  settings: lazy(() => import('../screens/settings/settings.tsx')),
};

import { createStore } from 'zustand/vanilla';
import type { LivePlanning } from '../../../batonpass/src/operations/planning/background-runs.ts';

/** The current steps of planning runs, by handoff, as the server reported them last. They are not stored. */
export const livePlannings = createStore<Readonly<Record<string, LivePlanning>>>(() => ({}));

/** Stores the step that an event reports. */
export function takeLivePlanning({ data }: MessageEvent<string>): void {
  const planning = JSON.parse(data) as LivePlanning;
  livePlannings.setState({ [planning.handoff_id]: planning });
}

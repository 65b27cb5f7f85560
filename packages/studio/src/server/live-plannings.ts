import { createStore } from 'zustand/vanilla';
import type { LivePlanning } from '../../../batonpass/src/operations/planning/background-runs.ts';

/** The steps that planning runs are at, by handoff, as the server told of them last. They are kept nowhere. */
export const livePlannings = createStore<Readonly<Record<string, LivePlanning>>>(() => ({}));

/** Takes what an event tells of such a step. */
export function takeLivePlanning({ data }: MessageEvent<string>): void {
  const planning = JSON.parse(data) as LivePlanning;
  livePlannings.setState({ [planning.handoff_id]: planning });
}

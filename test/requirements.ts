import { answersInShort } from './requirements/answers-in-short.ts';
import { carryOn } from './requirements/carry-on.ts';
import { commandLine } from './requirements/command-line.ts';
import { commandLineStart } from './requirements/command-line-start.ts';
import { conversation } from './requirements/conversation.ts';
import { doctor } from './requirements/doctor.ts';
import { draft } from './requirements/draft.ts';
import { drift } from './requirements/drift.ts';
import { extraction } from './requirements/extraction.ts';
import { fidelity } from './requirements/fidelity.ts';
import { filesExchange } from './requirements/files-exchange.ts';
import { firstMinutes } from './requirements/first-minutes.ts';
import { handoffFiles } from './requirements/handoff-files.ts';
import { handoffStore } from './requirements/handoff-store.ts';
import { hooks } from './requirements/hooks.ts';
import { hostsTranscripts } from './requirements/hosts-transcripts.ts';
import { http } from './requirements/http.ts';
import { init } from './requirements/init.ts';
import { lifeCycle } from './requirements/life-cycle.ts';
import { mcp } from './requirements/mcp.ts';
import { modelExtraction } from './requirements/model-extraction.ts';
import { operations } from './requirements/operations.ts';
import { planFiles } from './requirements/plan-files.ts';
import { planning } from './requirements/planning.ts';
import { planningFinish } from './requirements/planning-finish.ts';
import { planningRun } from './requirements/planning-run.ts';
import { postgres } from './requirements/postgres.ts';
import { postgresConsume } from './requirements/postgres-consume.ts';
import { postgresScale } from './requirements/postgres-scale.ts';
import { postgresSpeed } from './requirements/postgres-speed.ts';
import { postgresTeam } from './requirements/postgres-team.ts';
import { queue } from './requirements/queue.ts';
import { queueBench } from './requirements/queue-bench.ts';
import { queueConsume } from './requirements/queue-consume.ts';
import { queueFaults } from './requirements/queue-faults.ts';
import { queueHistory } from './requirements/queue-history.ts';
import { queuePlaces } from './requirements/queue-places.ts';
import { queueService } from './requirements/queue-service.ts';
import { queueSpeed } from './requirements/queue-speed.ts';
import { queueStoreCommands } from './requirements/queue-store-commands.ts';
import { record } from './requirements/record.ts';
import { rendering } from './requirements/rendering.ts';
import { reviewScreen } from './requirements/review-screen.ts';
import { source1 } from './requirements/source-1.ts';
import { source2 } from './requirements/source-2.ts';
import { source3 } from './requirements/source-3.ts';
import { source4 } from './requirements/source-4.ts';
import { source5 } from './requirements/source-5.ts';
import { studio } from './requirements/studio.ts';
import { studioBrainstorm } from './requirements/studio-brainstorm.ts';
import { studioDetail } from './requirements/studio-detail.ts';
import { studioFlow } from './requirements/studio-flow.ts';
import { studioHome } from './requirements/studio-home.ts';
import { studioInbox } from './requirements/studio-inbox.ts';
import { studioReview } from './requirements/studio-review.ts';
import { toon } from './requirements/toon.ts';
import { transcripts } from './requirements/transcripts.ts';
import { trust } from './requirements/trust.ts';
import { written } from './requirements/written.ts';
import { writtenAsking } from './requirements/written-asking.ts';

/** Every requirement that tests may cite: those of the five sources, and Baton's own. */
export const requirements = {
  ...source1,
  ...source2,
  ...source3,
  ...source4,
  ...source5,
  ...operations,
  ...planning,
  ...firstMinutes,
  ...answersInShort,
  ...commandLineStart,
  ...planningFinish,
  ...planningRun,
  ...planFiles,
  ...postgres,
  ...postgresConsume,
  ...postgresScale,
  ...postgresSpeed,
  ...postgresTeam,
  ...queue,
  ...studio,
  ...toon,
  ...record,
  ...lifeCycle,
  ...queueFaults,
  ...hooks,
  ...carryOn,
  ...conversation,
  ...extraction,
  ...fidelity,
  ...rendering,
  ...reviewScreen,
  ...studioDetail,
  ...studioFlow,
  ...studioBrainstorm,
  ...studioHome,
  ...studioInbox,
  ...studioReview,
  ...commandLine,
  ...mcp,
  ...http,
  ...draft,
  ...drift,
  ...hostsTranscripts,
  ...init,
  ...doctor,
  ...queueHistory,
  ...queueService,
  ...queuePlaces,
  ...queueSpeed,
  ...queueBench,
  ...queueConsume,
  ...queueStoreCommands,
  ...filesExchange,
  ...handoffFiles,
  ...handoffStore,
  ...modelExtraction,
  ...transcripts,
  ...trust,
  ...written,
  ...writtenAsking,
} as const;

export type RequirementId = keyof typeof requirements;

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hosts } from '../../../packages/batonpass/src/core/hosts.ts';
import { type HostName, hostNames } from './programs.ts';
import type { RealStage } from './real-stage.ts';
import { eventAt, Scene } from './scene.ts';

/** One fault of an installation, and the name that `baton doctor` gives it. */
interface Breakage {
  /** Absent for one that can happen to every host. */
  isPossible?: (host: HostName) => boolean;
  destroy: (stage: RealStage, host: HostName) => void;
  repair: (stage: RealStage) => void;
  finding: string;
}

/** Takes the hook that gives out of the file that a host reads. */
function unregister(stage: RealStage, host: HostName): void {
  const { form, project = '' } = hosts[host].hook_files;
  const path = join(stage.project, project);
  const text = readFileSync(path, 'utf8');
  const event = eventAt(host, 'start');
  if (form === 'plugin') writeFileSync(path, text.replace(`call('${event}', sessionID)`, '{}'));
  else {
    const settings = JSON.parse(text) as { hooks: Record<string, unknown> };
    delete settings.hooks[event];
    writeFileSync(path, JSON.stringify(settings));
  }
}

/** Runs the hook that gives, and hands the host something else than it printed. */
const wrapped = (filter: string) => (stage: RealStage, host: HostName) =>
  stage.breakHooks(`[ "$2" = ${eventAt(host, 'start')} ] || exec PROGRAM "$@"\nPROGRAM "$@" | ${filter}`);

/** @param body - statements over the text `t`. */
const change = (body: (host: HostName) => string) => (stage: RealStage, host: HostName) =>
  wrapped(`node -e 'let t="";process.stdin.on("data",(p)=>t+=p).on("end",()=>{${body(host)}})'`)(stage, host);

/** @param statement - over a member of the answer, as `a.b`. */
const changeMember = (names: readonly string[], statement: (member: string) => string) =>
  `const a=JSON.parse(t);${statement(['a', ...names].join('.'))};console.log(JSON.stringify(a))`;

const reinstall = (stage: RealStage): void => stage.install();

/** The ways in which a hook breaks; the host must trust a registration again, so it comes last. */
const breakages: Readonly<Record<string, Breakage>> = {
  'event-name': {
    isPossible: (host) => hosts[host].answer.event !== undefined,
    destroy: change((host) => changeMember(hosts[host].answer.event ?? [], (member) => `delete ${member}`)),
    repair: reinstall,
    finding: 'hook-event-name',
  },
  json: { destroy: change(() => 'console.log(t.slice(0,-20))'), repair: reinstall, finding: 'hook-invalid-json' },
  timeout: { destroy: wrapped('sleep 30'), repair: reinstall, finding: 'hook-timeout' },
  length: {
    destroy: change((host) => changeMember(hosts[host].answer.context, (member) => `${member}+="x".repeat(30000)`)),
    repair: reinstall,
    finding: 'hook-too-long',
  },
  path: {
    destroy: (stage) => rmSync(join(stage.folder, 'bin/baton')),
    repair: reinstall,
    finding: 'command-not-found',
  },
  node: {
    destroy: (stage) => {
      const old = join(stage.folder, 'old.cjs');
      writeFileSync(
        old,
        'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.11.1" } });',
      );
      renameSync(join(stage.folder, 'bin/node'), join(stage.folder, 'newer-node'));
      stage.writeProgram('node', `#!/bin/sh\nexec '${process.execPath}' --require '${old}' "$@"\n`);
    },
    repair: (stage) => renameSync(join(stage.folder, 'newer-node'), join(stage.folder, 'bin/node')),
    finding: 'node-too-old',
  },
  disk: {
    // No file may grow: to what writes it is as a disk that is full.
    destroy: (stage) => stage.breakHooks('ulimit -f 0\ntrap "" XFSZ\nexec PROGRAM "$@"'),
    repair: reinstall,
    finding: 'hook-cannot-write',
  },
  registration: {
    destroy: unregister,
    repair: (stage) => void stage.baton('init', '--yes'),
    finding: 'hooks-not-registered',
  },
};

/** Every scene of a broken hook, by its name. */
export const breakScenes = Object.fromEntries(
  hostNames.flatMap((host) =>
    Object.entries(breakages)
      .filter(([, { isPossible }]) => isPossible?.(host) !== false)
      .map(([name, breakage]) => [`break-${name}-${host}`, () => playBreak(host, breakage)] as const),
  ),
);

/** Breaks a hook, sees that the handoff stays and that doctor names the cause, repairs it, and sees it arrive. */
async function playBreak(host: HostName, breakage: Breakage): Promise<string> {
  const scene = await Scene.open([host]);
  const { stage } = scene;
  try {
    // The person trusts the hooks once, in a session that has nothing to hand over.
    await (await scene.say(host)).quit();
    const id = stage.create('Finish the login form');
    breakage.destroy(stage, host);
    const asked = scene.model.requests.length;
    await (await scene.say(host)).quit();
    const isTold = scene.model.requests.slice(asked).some(({ texts }) => texts.some((text) => text.includes(id)));
    const { findings } = stage.diagnose();
    const found = findings.find((finding) => finding.level === 'problem' && finding.id.startsWith(breakage.finding));
    if (found === undefined) throw new Error(`doctor does not name ${breakage.finding}: ${JSON.stringify(findings)}`);
    const { state } = stage.get(id).delivery;
    breakage.repair(stage);
    if (isTold && state === 'acknowledged') return `delivered all the same, and doctor names it: ${found.id}`;
    if (state === 'acknowledged') throw new Error('It is acknowledged although the model was not given it.');
    await (await scene.say(host)).quit();
    const { injected } = (await scene.handoff('acknowledged', (handoff) => handoff.id === id)).delivery;
    if (injected === undefined) throw new Error('It is acknowledged without a proof.');
    return `the handoff stays (${state}), doctor names ${found.id}, and the next session gets it`;
  } finally {
    await scene.close();
  }
}

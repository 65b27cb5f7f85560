import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { maskReply, maskSecrets } from '../../packages/batonpass/src/core/masking.ts';
import { readBrainstorm } from '../../packages/batonpass/src/extraction/brainstorm-messages.ts';
import { toChatMessages } from '../../packages/batonpass/src/extraction/chat/chat-input.ts';
import { continueTranscript } from '../../packages/batonpass/src/transcripts/continue-transcript.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { openStage, type Stage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';
import { assistantRow, userRow } from './rows.ts';

let stage: Stage | undefined;

afterEach(() => {
  stage?.close();
  stage = undefined;
});

/** A question for a secret, and a person's answer with it. */
const asked: readonly (readonly [question: string, answer: string, secret: string])[] = [
  ["What's the database password?", 'Walnuss2211xy', 'Walnuss2211xy'],
  ["What's the **database password**?", 'Walnuss2211xy', 'Walnuss2211xy'],
  ['Please give me the API token.', 'k3j4h5k3j4h5kj3h45kj3h4k5j', 'k3j4h5k3j4h5kj3h45kj3h4k5j'],
  ['I looked at it. I need the API key to continue.', "it's Kq9mTx7-Lp2RvB5n", 'Kq9mTx7-Lp2RvB5n'],
  ['Username and password for the staging login?', 'bob\nMandel9911', 'Mandel9911'],
  ['What password should I set for the admin?', "let's take Cashew8822", 'Cashew8822'],
  ['Could you share the staging password with me?', 'Sure! It is Walnuss2212. Then go on.', 'Walnuss2212'],
  ['Do you have the API key?', 'yes, `Kq9mTx7Lp2`', 'Kq9mTx7Lp2'],
  ['Database password?', 'tangerine', 'tangerine'],
  ['Password for staging:', '4711882', '4711882'],
  ['Wie lautet das Passwort für den Server?', 'Haselnuss4411', 'Haselnuss4411'],
  ['Kannst du mir bitte das API-Token schicken?', 'klar: Tokn8812ab', 'Tokn8812ab'],
  ['Bitte gib mir das Datenbankpasswort.', 'Rettich88', 'Rettich88'],
  ['¿Cuál es la contraseña de la base?', 'Fresa4473', 'Fresa4473'],
  ['Quel est le mot de passe ?', 'Cerise4471', 'Cerise4471'],
  ['Qual é a senha do banco?', 'Morango4478', 'Morango4478'],
  ["Qual è la parola d'ordine?", 'Fragola88', 'Fragola88'],
  ['Wat is het wachtwoord voor de server?', 'Aardbei88', 'Aardbei88'],
  ['Jakie jest hasło do bazy?', 'Jablko77', 'Jablko77'],
  ['Какой пароль от базы?', 'Klubnika44', 'Klubnika44'],
  ['数据库的密码是什么？', 'Xiang3355', 'Xiang3355'],
  ['パスワードは何ですか？', 'Ichigo44', 'Ichigo44'],
  ['비밀번호가 무엇인가요?', 'Ttalgi44', 'Ttalgi44'],
];

/** Other questions with a word for a secret in them, and answers that give none. */
const ordinary: readonly (readonly [question: string, answer: string])[] = [
  ['Should I reset the password hashing to use argon2id?', 'yes, use bcrypt12 with cost10x'],
  ['Should the token expire after 15 minutes?', 'make it 30min, see ticket ABC-1234'],
  ['Which password hashing library do you want?', 'use bcrypt5x please'],
  ['What is the token lifetime?', '3600s'],
  ["I'll send the token with each request. Shall I continue?", 'ok, then fix login2fa too'],
  ['What happens when the password is wrong?', 'return error E1234X'],
  ['Please tell me whether the password reset works', 'works in firefox120 now'],
  ['The password field is done. What next?', 'do step2b now'],
  ['I need to reset the password for admin users. OK?', 'yes, and admin22 too'],
  ['What is the password?', 'It is in docker-compose2.yml, v2.3.1, PR1234, not in config/db2.yml'],
  ['What is the password?', 'continue'],
  ['Do you have the API key?', 'no'],
  ['Which database do you want?', 'postgres16'],
  ['Les erreurs de signature.', 'je veux utiliser python3'],
  ['Il ne reste que les erreurs de token.', 'essaie avec python3'],
  ['De signature is klaar.', 'gebruik nu python3'],
];

const codexRow = (type: string, payload: object) =>
  JSON.stringify({ timestamp: '2026-09-14T08:00:00Z', type, payload });
const codexItem = (role: string, text: string) =>
  codexRow('response_item', { type: 'message', role, content: [{ type: 'input_text', text }] });

/** A conversation in which an assistant asks and the user answers. */
const formats: Record<string, (question: string, answer: string) => string> = {
  'claude-code': (question, answer) => [userRow('Go on.'), assistantRow(question), userRow(answer)].join('\n'),
  codex: (question, answer) => [codexItem('assistant', question), codexItem('user', answer)].join('\n'),
  'codex events': (question, answer) =>
    [
      codexRow('event_msg', { type: 'agent_message', message: question }),
      codexRow('event_msg', { type: 'user_message', message: answer }),
    ].join('\n'),
  specstory: (question, answer) => `_**User**_\n\nGo on.\n\n_**Agent**_\n\n${question}\n\n_**User**_\n\n${answer}\n`,
  messages: (question, answer) =>
    JSON.stringify([
      { role: 'assistant', content: question },
      { role: 'user', content: answer },
    ]),
  'message rows': (question, answer) =>
    [
      { role: 'assistant', content: question },
      { role: 'user', content: answer },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
};

describe('secrets as answers', () => {
  verifies(['SECRET.asked'], 'are masked after a question or an order for one, in any language', () => {
    for (const [question, answer, secret] of asked) {
      const { text, found } = maskReply(question, answer);
      expect(text, question).not.toContain(secret);
      expect(found, question).toEqual({ password: 1 });
      expect(maskReply(question, text)).toEqual({ text, found: {} });
      expect(maskReply(`${'It is long. '.repeat(100)}${question}`, answer).text).toBe(text);
    }
  });

  verifies(['SECRET.ordinary'], 'are no answers to other questions', () => {
    for (const [question, answer] of ordinary) expect(maskReply(question, answer).text, question).toBe(answer);
    for (const [, answer, secret] of asked) expect(maskReply('What next?', answer).text).toContain(secret);
  });

  verifies(['SECRET.asked'], 'are masked in the conversations of every format', async () => {
    for (const [format, write] of Object.entries(formats)) {
      for (const [question, answer, secret] of asked) {
        const { messages, masked } = await readTranscript({ text: write(question, answer), name: 'asked' });
        expect(JSON.stringify(messages), `${format}: ${question}`).not.toContain(secret);
        expect(masked, format).toEqual({ password: 1 });
      }
    }
  });

  verifies(['SECRET.asked'], 'are masked behind their question in one text, as question tools note it', () => {
    const told = (question: string, answer: string) => [
      `**${question}** ${answer}`,
      `User has answered your questions: "${question}"="${answer}". You can now continue.`,
      `${question} ${answer}`,
    ];
    for (const text of told("What's the database password?", 'Walnuss2211xy'))
      expect(maskSecrets(text).text).toBe(text.replace('Walnuss2211xy', '[masked:password]'));
    for (const text of told('Which database do you want?', 'postgres16')) expect(maskSecrets(text).text).toBe(text);
  });

  verifies(['SECRET.asked'], 'are masked in a session that is read in parts, and in what is kept of it', async () => {
    stage = openStage({ git: false });
    const path = join(stage.folder, 'session.jsonl');
    const [question = '', answer = ''] = asked[0] ?? [];
    const [go, ask, reply] = formats['claude-code']?.(question, answer).split('\n') ?? [];
    writeFileSync(path, `${go}\n${ask}\n`);
    const { progress } = await continueTranscript(path, undefined);
    writeFileSync(path, `${go}\n${ask}\n${reply}\n`);
    const read = await continueTranscript(path, progress);
    expect(progress).toBeDefined();
    expect(JSON.stringify(read)).toContain('[masked:password]');
    expect(JSON.stringify(read)).not.toContain(answer);
  });

  verifies(['SECRET.asked'], 'are masked in a brainstorm, and in a chat that is sent to a model', () => {
    const [question = '', answer = ''] = asked[0] ?? [];
    const part = (text: string) => [{ type: 'text', text }];
    const chat = [
      { role: 'assistant' as const, parts: part(question) },
      { role: 'user' as const, parts: part(answer) },
    ];
    expect(readBrainstorm(chat).messages[1]?.text).toBe('[masked:password]');
    expect(toChatMessages({ messages: chat })[1]?.content).toBe('[masked:password]');
  });

  verifies(['SECRET.asked'], 'of a person to a handoff that waits are masked in store and log', async () => {
    stage = openStage({ git: true });
    await stage.baton(['create', '--summary', 'Deploy the tide service.']);
    const { stdout } = await stage.baton(['claim', '--as', 'codex', '--json']);
    const { handoff } = JSON.parse(stdout) as { handoff: { id: string; delivery: { lease: { token: string } } } };
    const { id, delivery } = handoff;
    const { token } = delivery.lease;
    await stage.baton(['ask', id, 'What is the password of the staging database?', '--token', token]);
    const answered = await stage.baton(['answer', id, 'Antwort1122xy']);
    const log = await stage.baton(['log', id]);
    const shown = await stage.baton(['show', id, '--json']);
    expect(answered.code, answered.stderr).toBe(0);
    expect(log.stdout).toContain('[masked:password]');
    expect(answered.stdout + log.stdout + shown.stdout).not.toContain('Antwort1122xy');
  });
});

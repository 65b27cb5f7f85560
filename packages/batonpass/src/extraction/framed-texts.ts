/** A range of a message's text. */
interface Range {
  from: number;
  to: number;
}

/** Tags around a block; what stands between those of a prompt is the person's own. */
const tag = /^[ \t]*<(?<name>\p{L}[\p{L}\d_-]{1,40})(?: [^<>\n]{0,200})?>/gmu;
const ownTags =
  /^(?:instructions?|tasks?|requests?|questions?|prompt|goals?|rules?|requirements?|constraints?|user_query|user)$/i;

/** Nobody frames a longer text by hand; what is longer is pasted by its size. */
const framedCharactersMax = 100_000;

/** The names of a mail's headers, in all languages that programs write them in. */
const header =
  /^[ \t>]{0,4}\*{0,2}(?:from|to|cc|subject|date|sent|reply-to|von|an|betreff|datum|gesendet|de|à|objet|envoyé|para|asunto|fecha|enviado|发件人|收件人|主题|日期|差出人|宛先|件名|от|кому|тема|дата)\*{0,2}[ \t]?[:：]\*{0,2}[ \t]*\S/i;
/** One such line is a sentence: "To: be decided". */
const headersMin = 2;

/** Below a mail the person may ask about it, in one paragraph. */
const closingCharactersMax = 300;

/**
 * The parts of a message that their frame shows to be somebody else's text, in any language: a mail, from its headers to the end
 * or to a last question, and what stands between two tags. Time grows linearly with the text.
 */
export function findFramed(text: string): Range[] {
  const mail = findMail(text);
  if (mail === undefined) return findTagged(text);
  const closing = text.trimEnd().lastIndexOf('\n\n');
  const isAsked = closing > mail && text.length - closing <= closingCharactersMax && /[?？]\s*$/.test(text);
  return [...findTagged(text.slice(0, mail)), { from: mail, to: isAsked ? closing : text.length }];
}

/** Where a mail begins: at the first of two header lines in a row. */
function findMail(text: string): number | undefined {
  let first: number | undefined;
  let found = 0;
  for (let from = 0; from <= text.length; ) {
    const stop = text.indexOf('\n', from);
    const to = stop === -1 ? text.length : stop;
    if (header.test(text.slice(from, Math.min(to, from + 300)))) {
      first ??= from;
      found += 1;
      if (found === headersMin) return first;
    } else {
      first = undefined;
      found = 0;
    }
    from = to + 1;
  }
  return undefined;
}

function findTagged(text: string): Range[] {
  const ranges: Range[] = [];
  let until = 0;
  for (const { index, 0: open, groups } of text.matchAll(tag)) {
    const name = groups?.name ?? '';
    if (index < until || ownTags.test(name)) continue;
    const close = `</${name}>`;
    const end = text.slice(index, index + framedCharactersMax).indexOf(close, open.length);
    if (end === -1) continue;
    until = index + end + close.length;
    ranges.push({ from: index, to: until });
  }
  return ranges;
}

/**
 * The JSON object that an answer holds, as its text: alone, in a fenced block, or with words around it. Of several the
 * last is the answer: what comes before is a draft. Without one the text is given as it came.
 */
export function findJson(answer: string): string {
  const text = answer.trim();
  const fenced = Array.from(
    text.matchAll(/^[ \t]*(?:```|~~~)[^\n]*\n([\s\S]*?)^[ \t]*(?:```|~~~)[ \t]*$/gm),
    ([, body]) => body ?? '',
  );
  const between = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  return [text, ...fenced.reverse(), between].map((each) => each.trim()).find(isObject) ?? text;
}

function isObject(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Text that is no JSON holds no answer; the caller reports it.
    return false;
  }
}

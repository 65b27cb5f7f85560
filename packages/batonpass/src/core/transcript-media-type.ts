/**
 * The type of a body that gives a transcript as it is: a line of JSON with the rest of the input, and after it the bytes
 * of the transcript to the end. No form of a web page can send it.
 */
export const transcriptMediaType = 'application/vnd.batonpass.transcript';

import type { OperationOutput } from '../../../operations/catalogue.ts';
import { counted } from './plural.ts';
import { type View, visible } from './view.ts';

/** The request to a model for a conversation and its result, in lines; none where no model was asked. */
export function describeExtraction(
  { extractor, note, model }: OperationOutput<'conversation.extract'>['extraction'],
  view: View,
): string[] {
  if (model === undefined) return [];
  const { requests, input_tokens, output_tokens, unread_tokens, cost, dropped } = model;
  const tokens = `${input_tokens.toLocaleString('en-US')} tokens in, ${output_tokens.toLocaleString('en-US')} out`;
  const price = cost === undefined ? '' : `, ${cost.amount.toFixed(4)} ${visible(cost.currency)}`;
  const who = extractor === 'model' ? 'Extracted by' : 'Asked';
  const left = [
    ...(dropped.invented_quotes === 0 ? [] : [`${counted(dropped.invented_quotes, 'item')} with an invented quote`]),
    ...(dropped.refused_paths === 0 ? [] : [`${counted(dropped.refused_paths, 'path')} out of the project`]),
    ...(dropped.unproven_reversals === 0 ? [] : [`${counted(dropped.unproven_reversals, 'reversal')} without proof`]),
  ];
  return [
    ...(note === undefined ? [] : [view.style('yellow', visible(note))]),
    view.style('gray', `${who} ${visible(model.model)}: ${counted(requests, 'request')}, ${tokens}${price}.`),
    ...(unread_tokens === undefined ? [] : [view.style('yellow', describeUnread(unread_tokens))]),
    ...(left.length === 0 ? [] : [view.style('yellow', `Left out of its answer: ${left.join(', ')}.`)]),
  ];
}

function describeUnread(tokens: number): string {
  const about = tokens.toLocaleString('en-US');
  return `The server counted some ${about} tokens fewer than one prompt has: give it a larger context, or set model.window_characters.`;
}

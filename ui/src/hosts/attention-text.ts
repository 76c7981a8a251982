/** What a person must do about a workflow, as a sentence. Pure. */
import { sentence } from '../parts/sentence.ts';

/** The key of a change is for programs. */
export function attentionText(text: string): string {
  return sentence(text.replace(/ \(key [^)]*\)/, ''));
}

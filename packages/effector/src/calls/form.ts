/**
 * The form of a tool's input: one description, from which both the parser and the JSON Schema come.
 *
 * @module
 */
import { admit, err, orThrow, type Json, type Result } from '@assay/kernel';
import * as z from 'zod';
import { denied, type Refusal } from '../refusal.js';
import type { Understood } from './call.js';

/**
 * A tool as it is told what to do. `schema`: JSON Schema of the input, an object; it uses no more than the
 * keywords of calls/C15. `understand` refuses with `bad_input` what does not fit it.
 */
export type ToolForm = {
  readonly schema: Json;
  readonly understand: (input: Json) => Result<Refusal, Understood>;
};

/**
 * The form of a tool that is told `shape`. A plain string stands for an object with the one field `text`.
 * Nothing is coerced and no key is ignored. Code: `bad_input`, with a JSON pointer in the message.
 */
export function toolForm<T>(
  shape: z.ZodType<T>,
  text: string,
  understand: (asked: T) => Result<Refusal, Understood>,
): ToolForm {
  return {
    schema: schemaOf(shape),
    understand: (input) => {
      const parsed = shape.safeParse(typeof input === 'string' ? { [text]: input } : input);
      return parsed.success ? understand(parsed.data) : err(badInput(parsed.error.issues));
    },
  };
}

function badInput([issue]: readonly z.core.$ZodIssue[]): Refusal {
  const pointer = (issue?.path ?? []).map((part) => `/${String(part)}`).join('');
  return denied('bad_input', `at ${pointer === '' ? 'the input' : pointer}: ${issue?.code ?? 'unknown'}`);
}

/** The schema of a shape: an object, without `anyOf` at the top, which some providers refuse. */
function schemaOf(shape: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.const === undefined) return;
      jsonSchema.enum = [jsonSchema.const];
      delete jsonSchema.const;
    },
  });
  return orThrow(admit(schema)).value;
}

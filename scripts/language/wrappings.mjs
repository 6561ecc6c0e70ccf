/**
 * Wrappings in which nothing is demanded, whatever the sentence says: `{S}` the sentence as it stands, `{s}` with a
 * small letter, `{B}` and `{b}` the same without the point at its end.
 *
 * @module
 */
export const WRAPPINGS = `It is wrong that {s}
We do not agree that {s}
Nobody claims that {s}
It is not true that {s}
We no longer say that {s}
The old rule said that {s}
"{B}" is the rule that we abolished.
Do you think that {b}?
I doubt that {s}
{B}, they said, but that was wrong.
~~{B}~~ Done.
Remove the rule: {S}
If {b}, we lose money.
The rule that {b} does not apply any more.
Instead of the rule that {b}, write a new one.
Last year somebody wrote that {s}
The old rule said {s}
They told us {s}
The draft says: {S}
{B}?
{B} is a bad idea.
{B} was the old rule.
Why {b}?
{B}, or so they say.
Should we say that {b}?
The supplier wrote: "{S}"
Nobody thinks {s}
The claim that {b} is false.
We used to think {s}
As if {s}
Imagine that {s}
{B}, which nobody wants.`.split('\n');

/** A sentence in a wrapping. */
export function wrap(wrapping, sentence) {
  const bare = sentence.replace(/\.$/, '');
  const small = (text) => text.charAt(0).toLowerCase() + text.slice(1);
  const forms = { S: sentence, s: small(sentence), B: bare, b: small(bare) };
  return wrapping.replace(/\{(.)\}/, (_, form) => forms[form]);
}

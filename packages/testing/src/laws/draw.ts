/**
 * Randomness inside a law: what is drawn next may depend on what the machine did so far.
 *
 * @module
 */
import fc from 'fast-check';

/** Draws a value of any arbitrary. The same seed draws the same values in the same order. */
export type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T;

/** An arbitrary of {@link Draw}. Fresh for each run and each attempt at shrinking; shows what it drew. */
export function entropy(): fc.Arbitrary<Draw> {
  return new Entropy();
}

class Entropy extends fc.Arbitrary<Draw> {
  override generate(random: fc.Random, bias: number | undefined): fc.Value<Draw> {
    const start = random.clone();
    random.nextInt();
    return new fc.Value(drawFrom(start, bias), undefined);
  }

  override canShrinkWithoutContext(_value: unknown): _value is Draw {
    return false;
  }

  override shrink(): fc.Stream<fc.Value<Draw>> {
    return fc.Stream.nil();
  }
}

function drawFrom(start: fc.Random, bias: number | undefined): Draw {
  const random = start.clone();
  const drawn: unknown[] = [];
  const draw: Draw = (arbitrary) => {
    const { value } = arbitrary.generate(random, bias);
    drawn.push(value);
    return value;
  };
  return Object.assign(draw, {
    [fc.cloneMethod]: () => drawFrom(start, bias),
    [fc.toStringMethod]: () => `drawn: ${fc.stringify(drawn)}`,
  });
}

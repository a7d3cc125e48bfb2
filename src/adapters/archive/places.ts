import { ServiceUnavailable } from '../../application/errors/service-unavailable.ts';

export type Places = { readonly run: <Result>(work: () => Promise<Result>) => Promise<Result> };

/**
 * Runs a limited number of works at once. Whoever got no place or no result within the time gets ServiceUnavailable; work that
 * hangs keeps its place until it ends.
 */
export function createPlaces(most: number, timeoutMs: number): Places {
  let taken = 0;
  const waiting: (() => void)[] = [];

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else next();
  }

  return {
    run<Result>(work: () => Promise<Result>) {
      return new Promise<Result>((resolve, reject) => {
        function start(): void {
          work()
            .then(resolve, reject)
            .finally(() => {
              clearTimeout(timer);
              leave();
            });
        }
        const timer = setTimeout(() => {
          const place = waiting.indexOf(start);
          if (place >= 0) waiting.splice(place, 1);
          reject(new ServiceUnavailable(`The archive did not answer within ${timeoutMs} ms.`));
        }, timeoutMs);
        if (taken < most) {
          taken += 1;
          start();
        } else waiting.push(start);
      });
    },
  };
}

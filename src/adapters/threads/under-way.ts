/** Work that a close waits for. What has ended is forgotten. */
export type UnderWay = {
  readonly track: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Resolves when nothing is under way any more, however it ended. */
  readonly ended: () => Promise<void>;
};

export function createUnderWay(): UnderWay {
  const works = new Set<Promise<unknown>>();
  return {
    track(work) {
      works.add(work);
      const forget = () => void works.delete(work);
      work.then(forget, forget);
      return work;
    },
    async ended() {
      while (works.size > 0) await Promise.allSettled(works);
    },
  };
}

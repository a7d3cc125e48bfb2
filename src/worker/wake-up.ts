export type Signal = {
  readonly raise: () => void;
  /** Until it is raised, or so long. Raised while nobody waits, it lets the next one through. */
  readonly wait: (ms: number) => Promise<void>;
};

export function createWakeUp(): Signal {
  let isRaised = false;
  let wake: (() => void) | null = null;
  return {
    raise() {
      isRaised = true;
      wake?.();
    },
    async wait(ms) {
      if (!isRaised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          timer.unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isRaised = false;
      wake = null;
    },
  };
}

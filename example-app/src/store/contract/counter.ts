/** The count of a key in its window. */
export interface Count {
  readonly consumedPoints: number;
  /** Milliseconds until the window ends, an integer. */
  readonly msBeforeNext: number;
}

/** The counts that all processes share. */
export interface SharedCounter {
  /**
   * Add `points` to the count of a key.
   *
   * @param duration milliseconds until the window ends, an integer, if this begins one
   * @returns the count of all processes
   */
  add(key: string, points: number, duration: number): Promise<Count>;
  close(): Promise<void>;
}

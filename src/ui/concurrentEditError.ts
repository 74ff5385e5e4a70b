/** A conflict in a cell: its current value, and a way to overwrite it. */
export class ConcurrentEditError extends Error {
  readonly theirs: string
  readonly keepMine: (value: string) => Promise<void> | void
  constructor(theirs: string, keepMine: (value: string) => Promise<void> | void) {
    super('Someone else has changed this.')
    this.theirs = theirs
    this.keepMine = keepMine
  }
}

/**
 * Up to `exact` visits, the count is the size of the leaves' union, not an estimate.
 * A market with at most `listed` visits has only lists in leaves and roll-ups, so its union is exact anyway.
 * Sets of more than `held` bytes are merged while they are collected, so that a long read needs little memory.
 * Sets above that size hold devices of more than `exact` visits, so no exact count is affected.
 * With more than `venues` venues, a map shows squares.
 * A brand's visits on at least `summed` days are read from the packs of all venues.
 * After a service left, up to `remade` visits of others are read in its place, else it is taken away from roll-ups.
 * With more than `taken` days of services that left, added up, the others are read however long that takes.
 * The leaves of at most `leaves` visits are in memory at a time.
 * Tests lower all of them, so that little data leads to estimates and merges.
 */
export const COUNTED = {
  exact: 100_000,
  listed: 2048,
  held: 2 ** 25,
  venues: 5000,
  summed: 100,
  remade: 10_000_000,
  taken: 50_000,
  leaves: 300_000,
}

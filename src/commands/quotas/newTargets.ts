import type { Quota } from '../../../contract/quota.ts'
import { sumFault, targetsOf } from '../../../contract/quotaRules.ts'

/**
 * The cells whose targets change with one: those of dimensions that wouldn't add up to a new total follow in
 * proportion, by largest remainder; a cell by itself changes no other.
 */
export function newTargets(plan: Quota, id: number, target: number): { id: number; target: number }[] {
  const own = { id, target }
  if (id !== plan.all.id) return [own]
  const following = plan.dimensions.flatMap((dimension) => {
    const targets = dimension.cells.map((cell) => cell.target)
    if (sumFault({ ...dimension, targets }, target) === null) return []
    const next = targetsOf(target, targets)
    return dimension.cells.flatMap((cell, at) => (next[at] === cell.target ? [] : [{ id: cell.id, target: next[at]! }]))
  })
  return [own, ...following]
}

/** What a target that isn't saved yet leaves to say of the sums: those that don't add up, or that others follow. */
export function sumWords(plan: Quota, id: number, target: number): string[] {
  const changed = new Map(newTargets(plan, id, target).map((one) => [one.id, one.target]))
  if (id === plan.all.id) return changed.size > 1 ? ['The targets of its cells follow in proportion.'] : []
  return plan.dimensions
    .filter(({ cells }) => cells.some((cell) => cell.id === id))
    .flatMap((dimension) => {
      const targets = dimension.cells.map((cell) => changed.get(cell.id) ?? cell.target)
      return sumFault({ ...dimension, targets }, plan.total) ?? []
    })
}

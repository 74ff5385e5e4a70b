import type { Quota } from '../../../contract/quota.ts'
import { sumFault, targetsOf } from '../../../contract/quotaRules.ts'

/** The targets that change with one: cells follow a new total in proportion, where they wouldn't add up to it. */
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

/** What a new target does to the sums: cells that follow it, or targets that no longer add up. */
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

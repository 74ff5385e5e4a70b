import { type Fields, isBlank, textsOf } from '../../contract/fieldKinds.ts'
import type { Ctx } from './context.ts'

/**
 * A write's values as its form would send them: filled, and without those that don't apply beside the others.
 * The answer names what was left out in `ignored`; `was` is the record that an edit changes.
 */
export function appliedFields<I extends object>(ctx: Pick<Ctx, 'dropped'>, fields: Fields, input: I, was?: object): I {
  const sent = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  // A form's money is read from its column.
  const money = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'money' && Object.hasOwn(sent, name) ? [[field.column, sent[name]]] : [],
  )
  const before = (was ?? {}) as Readonly<Record<string, unknown>>
  const texts = textsOf(fields, { ...before, ...sent, ...Object.fromEntries(money) })
  const values = { ...input } as Record<string, unknown>
  for (const [name, field] of Object.entries(fields)) {
    if (field.when && !field.when(texts)) {
      if (!Object.hasOwn(sent, name) || sent[name] === before[name]) continue
      if (isBlank(sent[name])) continue
      ctx.dropped.push(name)
      delete values[name]
    } else if (field.fill && field.kind === 'text' && isBlank(sent[name])) {
      // A blank that the record has may be sent back.
      if (!was || (Object.hasOwn(sent, name) && !isBlank(before[name]))) values[name] = field.fill(texts)
    }
  }
  return values as I
}

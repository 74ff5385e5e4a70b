import { type Field, type Fields, isBlank, type Texts, textsOf, wireOf } from '../../contract/fieldKinds.ts'
import type { Ctx } from './context.ts'

/** A call's fields under their columns, where a form reads money. */
const moneyIn = (fields: Fields, sent: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.kind === 'money' && Object.hasOwn(sent, name) ? [[field.column, sent[name]]] : [],
    ),
  )
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * A write's values as its form would send them: filled, and without those that don't apply beside the others.
 * The answer names what was left out in `ignored`, and says what a change cleared.
 * `was` is the record that an edit changes.
 */
export function appliedFields<I extends object>(
  ctx: Pick<Ctx, 'dropped' | 'cleared'>,
  fields: Fields,
  input: I,
  was?: object,
): I {
  const sent = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const before = textsOf(fields, was ?? {})
  const texts = textsOf(fields, { ...was, ...sent, ...moneyIn(fields, sent) })
  const values = { ...input } as Record<string, unknown>
  const applied = (field: Field, of: Texts) => !field.when || field.when(of)
  for (const [name, field] of Object.entries(fields)) {
    const isSent = Object.hasOwn(sent, name)
    if (!applied(field, texts)) {
      const had = was && !isBlank(before[name])
      const closes = had && applied(field, before)
      // A value that a record has may be sent back.
      if (isSent && !isBlank(sent[name]) && sent[name] !== field.fill?.(texts)) {
        if (was) delete values[name]
        else Object.assign(values, wireOf(field, name, texts))
        if (closes || !had || !same(texts[name], before[name])) ctx.dropped.push(name)
      }
      if (!closes) continue
      values[name] = wireOf(field, name, texts)[name]
      ctx.cleared.push(field.label)
    } else if (field.fill && field.kind === 'text' && isBlank(sent[name])) {
      // A blank that the record has may be sent back.
      if (!was || (isSent && !isBlank(before[name]))) values[name] = field.fill(texts)
    }
  }
  return values as I
}

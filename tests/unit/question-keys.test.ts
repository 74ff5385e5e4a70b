import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { currentAnswers, ON, readAnswers } from '../../src/commands/commandLink.ts'
import { commandIds, commandOf } from '../support/commands.ts'

/*
 * Links to commands name their questions, and people keep such links.
 * A question that is renamed names its earlier key in `was`.
 * The file has every key that was released; UPDATE=1 adds new ones.
 */

const file = resolve(import.meta.dirname, 'question-keys.json')
const released = JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly string[]>
const asksOf = (id: string) => Object.entries(commandOf(id as ReturnType<typeof commandIds>[number])?.asks ?? {})

test('a key of a question that was released is its key now, or its earlier one', () => {
  const lost = Object.entries(released).flatMap(([id, keys]) => {
    const known = new Set(asksOf(id).flatMap(([key, { was }]) => [key, was]))
    return keys
      .filter((key) => !Object.keys(currentAnswers(id, { [key]: '1' })).some((now) => known.has(now)))
      .map((key) => `${id} ${key}`)
  })
  expect(lost).toEqual([])
})

test('an earlier key is no other question’s key, and a link with it is read', () => {
  for (const id of commandIds()) {
    const asks = asksOf(id)
    const keys = asks.map(([key]) => key)
    for (const [key, ask] of asks) {
      expect(key, id).not.toBe(ON)
      if (!ask.was) continue
      expect(keys, `${id} ${key}`).not.toContain(ask.was)
      const wasText = ask.type === 'entity' || ask.type === 'entities' ? '7' : undefined
      if (wasText) expect(readAnswers(commandOf(id), { [ask.was]: wasText }, []), `${id} ${key}`).toHaveProperty(key)
    }
  }
})

test('every key is in the file', () => {
  const keys = Object.fromEntries(
    [...new Set([...Object.keys(released), ...commandIds()])].sort().flatMap((id) => {
      const all = [...new Set([...(released[id] ?? []), ...asksOf(id).map(([key]) => key)])]
      return all.length ? [[id, all]] : []
    }),
  )
  if (process.env.UPDATE)
    writeFileSync(
      file,
      `{\n${Object.entries(keys)
        .map(([id, all]) => `  "${id}": ${JSON.stringify(all).replaceAll('","', '", "')}`)
        .join(',\n')}\n}\n`,
    )
  else expect(released).toEqual(keys)
})

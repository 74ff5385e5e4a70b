import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const folder = resolve(import.meta.dirname, '../../src/commands')
const named = (text: string, how: string) =>
  [...text.matchAll(new RegExp(`\\b${how}\\(\\s*'([\\w.]+)'`, 'g'))].map(([, call]) => call!)

test('what a command says before it runs is a dry run of the call that it runs', () => {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const rows = readFileSync(join(folder, file), 'utf8').split(/\n {2}(?='[\w.]+': command\()/)
      return rows.flatMap((row) => {
        const id = /^'([\w.]+)'/.exec(row)?.[1]
        if (!id || !/\bforesees\(/.test(row)) return []
        const tried = new Set(named(row, 'dryRun'))
        const written = new Set(named(row, 'write'))
        return tried.size && [...tried].every((call) => written.has(call)) ? [] : [`${id}: ${[...tried]} before ${[...written]}`]
      })
    })
  expect(found).toEqual([])
})

test('what a command says after an edit is what the edit said, also that nothing changed', () => {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const rows = readFileSync(join(folder, file), 'utf8').split(/\n {2}(?='[\w.]+': command\()/)
      return rows.flatMap((row) => {
        const id = /^'([\w.]+)'/.exec(row)?.[1]
        const edits = /\bsaves\(|\bsave\(|\b(?:write\(|writeFields\(api, )'\w+\.edit'/.test(row)
        return id && edits && /\bnoticeOf\(/.test(row) ? [id] : []
      })
    })
  expect(found).toEqual([])
})

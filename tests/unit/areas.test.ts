import { describe, expect, test, vi } from 'vitest'
import { nounsWith } from '../../contract/nounOf.ts'
import type { Area } from '../../src/commands/commandAreas.ts'
import type { CommandId } from '../../src/commands/table.ts'
import { sourceOf, sourcesOf } from '../support/graph.ts'

// Files share their modules, and an earlier one may have loaded areas, so this one starts without any.
vi.resetModules()
const { areaNames, areas, areasOf, areasOn, loadAreas } = await import('../../src/commands/commandAreas.ts')
const { commandIds, commandOf, isCommandId } = await import('../../src/commands/table.ts')
const { contextsOf, effective, inUse, keysOf } = await import('../../src/runner/keys/bindings.ts')

// In the order of a page: first no area is loaded, then all of them.

const OWN = { 'project.goLive': 'Mod+j', 'user.edit': 'q q', 'project.gone': 'Mod+i', 'nothing.known': 'Mod+u' } as const
const bound = (map: ReturnType<typeof inUse>) => Object.values(map).flatMap((keys) => Object.values(keys))

describe('before an area has loaded', () => {
  test('its commands are missing, but their area is known', async () => {
    const { areasWith } = await import('../../src/commands/table.ts')
    expect(isCommandId('project.goLive')).toBe(false)
    expect(areasWith('project.goLive')).toEqual(['projects'])
    expect(areasWith('list.down')).toEqual([])
    expect(areasWith('nothing.known')).toEqual([])
  })

  test('its shortcuts are reserved, the user’s own ones everywhere', () => {
    expect(keysOf(inUse({ keys: {}, single_keys: true, role: 'client' }), 'project.goLive')).toBe('g l')
    expect(contextsOf('user.edit')).toEqual(['user'])
    const map = effective(OWN)
    expect(map.project!['Mod+j']).toBe('project.goLive')
    expect(map.app!['Mod+i']).toBe('project.gone')
    expect(bound(map)).not.toContain('nothing.known')
  })
})

describe('when all areas have loaded', () => {
  const rows = async () => {
    await loadAreas()
    return commandIds().map((id) => [id, commandOf(id)] as const)
  }

  test('an area has all commands with its prefixes, and nothing else does', async () => {
    const all = await rows()
    const wrong: string[] = []
    for (const name of areaNames) {
      const own = Object.keys((await areas[name].load()).commands)
      const begins = (id: string) => areasOf(id.split('.')[0]!).includes(name)
      wrong.push(...own.filter((id) => !begins(id)).map((id) => `${id} is in ${name}, whose ids do not begin so`))
    }
    expect(wrong).toEqual([])
    expect(new Set(all.map(([id]) => id)).size).toBe(all.length)
  })

  test('an area lists every kind of record its commands act on, and no noun without a command', async () => {
    await rows()
    for (const name of areaNames) {
      const ids = Object.keys((await areas[name].load()).commands) as CommandId[]
      const kinds = ids.flatMap((id) => [commandOf(id).on].flat()).filter((kind) => kind !== 'nothing')
      for (const kind of kinds) expect(areasOn(kind), `${name} has commands on a ${kind}`).toContain(name)
      const used = new Set<string>([...kinds, ...ids.map((id) => id.split('.')[0]!)])
      const { ids: prefixes = [], on = [] } = areas[name]
      for (const noun of [...nounsWith(({ area }) => area === name), ...prefixes, ...on])
        expect([...used], `${name} says ${noun}`).toContain(noun)
    }
  })

  test('every file of an area’s folder declares the types of its commands, which are collected by folder', () => {
    const files = areaNames.flatMap((name) => sourcesOf(`src/commands/${name}`)).filter((file) => file.split('/').length === 4)
    expect(files.length).toBeGreaterThan(areaNames.length)
    for (const file of files)
      for (const [, table] of sourceOf(file).matchAll(/^export const (\w+Commands)\b/gm))
        expect(sourceOf(file), file).toContain(`interface AreaCommands extends Readonly<typeof ${table}>`)
  })

  test('commands on records are only in areas, apart from their screens', async () => {
    const own = new Set<string>()
    for (const name of areaNames as Area[]) for (const id of Object.keys((await areas[name].load()).commands)) own.add(id)
    const elsewhere = (await rows()).filter(([id, { on, group }]) => on !== 'nothing' && group !== 'screens' && !own.has(id))
    expect(elsewhere.map(([id]) => id)).toEqual([])
  })

  test('client users lose administrators’ shortcuts, and everybody those without a command', async () => {
    await rows()
    const map = inUse({ keys: OWN, single_keys: true, role: 'client' })
    expect(bound(map)).not.toContain('project.goLive')
    expect(bound(map)).not.toContain('project.gone')
    expect(keysOf(inUse({ keys: OWN, single_keys: true, role: 'admin' }), 'user.edit')).toBe('q q')
    expect(bound(effective(OWN))).not.toContain('project.gone')
  })
})

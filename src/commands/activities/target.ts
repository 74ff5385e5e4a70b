import { isolateBidi } from '../../../contract/bidi.ts'
import { count } from '../../../contract/format.ts'
import { type Demographic, demographicFields, targetFields } from '../../../contract/targetFields.ts'
import { href } from '../../routing/routes.ts'
import { dayOf } from '../../ui/displayZone.ts'
import { ask, command } from '../command.ts'
import { copyText } from '../copying.ts'
import { type Option, recordOf, type Subject } from '../subject.ts'

type Version = { version: number; at: string | null; who: string } & Record<(typeof LISTS)[number], string>
const LISTS = Object.keys(targetFields) as (keyof typeof targetFields)[]
const GROUPS = Object.keys(demographicFields) as Demographic[]
const versionsOf = (subject: Subject | undefined): readonly Version[] => recordOf(subject, 'activity').versions ?? []
type Other = { id: number; name: string; project_name: string; target_version: number | null }
const othersOf = (subject: Subject | undefined): readonly Other[] => recordOf(subject, 'activity').others ?? []
/** What a copy or a comparison of audiences adds to an activity. */
export interface TargetChoices {
  versions: readonly Version[]
  others: readonly Other[]
}
const listOf = (text: string): string[] => text.split(',').filter(Boolean)

/** The audience and market of an activity (screens-projects.md, Activities and targets). */
export const targetCommands = {
  'activity.copyTarget': command({
    title: 'Copy audience to…',
    on: 'activity',
    rule: 'activity.editTarget',
    keywords: 'target same age gender others',
    icon: 'copy',
    undo: 'restores',
    async prepare(api, [subject]) {
      if (!subject) return { able: [], left: [] }
      const [{ data: target }, { data: activity }] = await Promise.all([
        api.read('activity.target', { id: subject.id }),
        api.read('activity.get', { id: subject.id }),
      ])
      if (!target) return { able: [], left: [{ subject, reason: 'it has no audience yet' }] }
      const { data } = await api.read('activity.list', { client: activity.client_id, per_page: 500 })
      const others = data.filter(({ id }) => id !== subject.id)
      return { able: [{ ...subject, record: { ...subject.record, others } }], left: [] }
    },
    asks: {
      to: ask.entities({
        kind: 'activity',
        label: 'Activities',
        min: 1,
        among: async (_api, [subject]) =>
          othersOf(subject).map(
            ({ id, name, project_name, target_version }): Option => ({
              value: String(id),
              label: name,
              detail: `${project_name} · ${target_version ? `version ${target_version}` : 'no audience yet'}`,
            }),
          ),
      }),
    },
    confirm([subject], { to }) {
      const chosen = othersOf(subject).filter(({ id }) => (to ?? []).map(Number).includes(id))
      const lines = chosen.map(({ name, target_version: version }) =>
        version ? `“${isolateBidi(name)}”: version ${version} becomes ${version + 1}.` : `“${isolateBidi(name)}” gets version 1.`,
      )
      const more = lines.length > 6 ? ` ${count(lines.length - 6)} more change too.` : ''
      return {
        title: `Copy the audience of “${isolateBidi(subject!.name)}”?`,
        body: `${lines.slice(0, 6).join(' ')}${more} Their market areas stay.`,
        action: 'Copy audience',
      }
    },
    async run({ api, subject, answers }) {
      const { message } = await api.write('target.copy', { activity_id: subject.id, to: answers.to.map(Number) })
      return { message }
    },
  }),
  'target.restore': command({
    title: 'Restore earlier audience…',
    on: 'activity',
    rule: 'activity.editTarget',
    keywords: 'version target back history',
    icon: 'undo',
    undo: 'restores',
    async prepare(api, [subject]) {
      if (!subject) return { able: [], left: [] }
      const { data } = await api.read('target.versions', { id: subject.id })
      if (data.length < 2) return { able: [], left: [{ subject, reason: 'it has no earlier version' }] }
      return { able: [{ ...subject, record: { ...subject.record, versions: data } }], left: [] }
    },
    asks: {
      version: ask.option({
        label: 'Version',
        options: ([subject]) =>
          versionsOf(subject)
            .slice(1)
            .map(({ version, at, who }) => ({
              value: String(version),
              label: `Version ${version}`,
              detail: [at && dayOf(at), who].filter(Boolean).join(' · '),
            })),
      }),
    },
    confirm([subject], { version }) {
      const current = versionsOf(subject)[0]?.version ?? 0
      return {
        title: version ? `Restore version ${version}?` : 'Restore an earlier version?',
        body: `It becomes version ${current + 1}. Completes so far stay counted.`,
        action: 'Restore',
      }
    },
    async run({ api, subject, answers }) {
      const [current] = versionsOf(subject)
      const wanted = versionsOf(subject).find(({ version }) => version === Number(answers.version))
      if (!current || !wanted) return { note: 'That version doesn’t exist' }
      const values = Object.fromEntries(
        LISTS.flatMap((field) => (wanted[field] === current[field] ? [] : [[field, wanted[field]]])),
      )
      const { message } = await api.write('target.edit', {
        activity_id: subject.id,
        version: current.version,
        ...values,
        reason: `Version ${wanted.version} restored`,
      })
      return { message }
    },
  }),
  'target.copyFrom': command({
    title: 'Copy audience from another activity…',
    on: 'activity',
    rule: 'activity.editTarget',
    keywords: 'target same age gender fill',
    icon: 'copy',
    undo: 'needless',
    asks: {
      from: ask.entity({
        kind: 'activity',
        label: 'Activity',
        async among(api, [subject]) {
          const { data: own } = await api.read('activity.get', { id: subject!.id })
          const { data } = await api.read('activity.list', { client: own.client_id, per_page: 500 })
          return data
            .filter(({ id, target_version }) => id !== subject!.id && target_version !== null)
            .map(({ id, name, audience }) => ({ value: String(id), label: name, detail: audience }))
        },
      }),
    },
    async run({ api, subject, answers, workspace }) {
      const { data: target } = await api.read('activity.target', { id: answers.from })
      if (!target) return { note: 'That activity has no audience yet' }
      const form = workspace.form()
      if (!form?.fill?.(() => Object.fromEntries(GROUPS.map((group) => [group, listOf(target[group])]))))
        workspace.open(href('editTarget', { id: subject.id }), 'tab')
      return form?.fill ? { note: 'Audience filled in. Save to keep it.' } : {}
    },
  }),
  'market.copy': command({
    title: 'Copy market areas',
    on: 'activity',
    rule: 'activity.editMarket',
    keywords: 'dma codes names list clipboard',
    icon: 'copy',
    copies: true,
    undo: 'needless',
    async run({ api, subject }) {
      const { data: target } = await api.read('activity.target', { id: subject.id })
      const areas = target?.target_markets ?? []
      if (!areas.length) return { note: 'There are no market areas to copy' }
      const text = areas.map(({ id, name }) => `${id}\t${name}`).join('\n')
      const many = areas.length === 1 ? '1 market area' : `${count(areas.length)} market areas`
      return copyText(text, `${many} copied`, 'Market areas')
    },
  }),
  'market.invert': command({
    title: 'Invert market areas',
    on: 'activity',
    rule: 'activity.editMarket',
    keywords: 'dma others swap selection',
    icon: 'arrows',
    undo: 'needless',
    async run({ api, workspace }) {
      const { dmas } = await api.read('dma.list', {})
      const done = workspace.form()?.fill?.((values) => {
        const now = values.targeted_locations
        if (!Array.isArray(now)) return {}
        const chosen = new Set(now as string[])
        return { targeted_locations: dmas.map((dma) => String(dma.dma_code)).filter((code) => !chosen.has(code)) }
      })
      if (!done) workspace.notice('Open the market form first.')
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof targetCommands> {}
}

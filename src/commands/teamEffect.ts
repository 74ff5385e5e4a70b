import { isolateBidi } from '../../contract/bidi.ts'
import { count } from '../../contract/format.ts'
import type { TeamEffect } from '../../contract/teamEffect.ts'

/** Phrased before a write ("will see"), or after it ("now see"). */
type When = 'before' | 'after'
type Row = TeamEffect['rows'][number]

const many = (figure: number, one: string, several: string): string => `${count(figure)} ${figure === 1 ? one : several}`
const projects = (figure: number): string => many(figure, 'project', 'projects')

/** Names a few records and counts more: "“Wave 12” and “Wave 13”", "5 projects". */
const namedFew = (records: readonly { name: string }[]): string =>
  records.length <= 2 ? records.map(({ name }) => `“${isolateBidi(name)}”`).join(' and ') : projects(records.length)

/** Names a single project if a row has its name; otherwise formats a count. */
const namedOr = (figure: number, first: readonly { name: string }[] | undefined): string =>
  figure === 1 && first?.length === 1 ? namedFew(first) : projects(figure)

/** Describes who gains access: "4 users will see 3 projects.", "Ana Diaz now sees “Wave 12”."; empty for nobody. */
function whoGains({ gain, rows }: TeamEffect, when: When): string {
  if (!gain.users) return ''
  const [first] = rows.filter(({ gains }) => gains.length)
  const who = gain.users === 1 && first ? isolateBidi(first.name) : many(gain.users, 'user', 'users')
  const verb = when === 'before' ? 'will see' : gain.users === 1 ? 'now sees' : 'now see'
  return `${who} ${verb} ${namedOr(gain.projects, first?.gains)}.`
}

/** Returns how many projects everyone who loses access keeps if it is the same for all; else null. */
function keptByAll(losers: readonly Row[], users: number): number | null {
  const kept = losers[0]?.keeps
  return kept && losers.length === users && losers.every(({ keeps }) => keeps === kept) ? kept : null
}

/** Describes losses: "2 users will lose 3 projects and keep 4 others.", "5 others lose 1 that had no team." */
function whoLoses({ gain, lose, rows, closes }: TeamEffect, when: When): string {
  if (!lose.users) return ''
  const losers = rows.filter(({ loses }) => loses.length)
  const [first] = losers
  const one = lose.users === 1
  if (gain.users && losers.every(({ gains }) => !gains.length)) {
    const hidden = closes.projects.length >= lose.projects ? ' that had no team' : ''
    const verb = when === 'after' ? 'lost' : one ? 'loses' : 'lose'
    return `${many(lose.users, 'other', 'others')} ${verb} ${count(lose.projects)}${hidden}.`
  }
  const who = one && first ? isolateBidi(first.name) : many(lose.users, 'user', 'users')
  const kept = keptByAll(losers, lose.users)
  const [verb, keep] = when === 'before' ? ['will lose', 'keep'] : ['lost', 'kept']
  const others = kept === null ? '' : ` and ${keep} ${many(kept, 'other', 'others')}`
  const what = namedOr(lose.projects, first?.loses)
  // Gives the reason, because the user didn't choose these people.
  const hidden = closes.projects.length >= lose.projects
  const lost = !hidden ? what : what.startsWith('“') ? `${what}, which had no team${others && ','}` : `${what} that had no team`
  return `${who} ${verb} ${lost}${others}.`
}

/** Describes projects that lose their last team: "“Wave 12” will have no team: all 7 client users of Acme see it." */
function whatOpens({ opens: { projects: open, users } }: TeamEffect, client: string, when: When): string {
  if (!open.length) return ''
  const verb = when === 'before' ? 'will have' : open.length === 1 ? 'has' : 'have'
  const of = client && ` of ${isolateBidi(client)}`
  const it = open.length === 1 ? 'it' : 'them'
  const seen = users === 1 ? `: its one client user${of} sees ${it}` : `: all ${count(users)} client users${of} see ${it}`
  return `${namedFew(open)} ${verb} no team${users ? seen : ''}.`
}

/**
 * Describes how a write changes who sees what, for reviews, forms and toasts (people-area 5, Teams).
 * `client` is its name, if known.
 */
export function effectSentence(effect: TeamEffect, when: When, client = ''): string {
  const sentences = [whoGains(effect, when), whoLoses(effect, when), whatOpens(effect, client, when)].filter(Boolean)
  return sentences.join(' ') || (when === 'before' ? 'Nobody will see more or less.' : 'Nobody sees more or less.')
}

/** Returns a line for each person whose projects change: "Ana Diaz", "sees “Wave 12”, loses 3 projects". */
export const effectLines = ({ rows }: Pick<TeamEffect, 'rows'>): { label: string; value: string; bad?: boolean }[] =>
  rows.map(({ name, gains, loses }) => ({
    label: name,
    value: [gains.length && `sees ${namedFew(gains)}`, loses.length && `loses ${namedFew(loses)}`].filter(Boolean).join(', '),
    ...(loses.length ? { bad: true } : {}),
  }))

/** The most people that an effect names. */
const MOST_ROWS = 100

/**
 * Merges the effects of linking the same projects to several teams, each tried alone.
 * A member of any of the teams loses nothing by the others.
 */
export function effectOfLinks(effects: readonly TeamEffect[]): TeamEffect | null {
  const [first, ...rest] = effects
  if (!first || !rest.length) return first ?? null
  const people = new Map<number, Row[]>()
  for (const row of effects.flatMap(({ rows }) => rows)) people.set(row.user_id, [...(people.get(row.user_id) ?? []), row])
  const rows = [...people.values()].flatMap((all): Row[] => {
    const gains = [...new Map(all.flatMap((row) => row.gains).map((project) => [project.id, project])).values()]
    const loses = all[0]!.loses.filter(
      ({ id }) => all.length === effects.length && all.every((row) => row.loses.some((one) => one.id === id)),
    )
    return gains.length || loses.length ? [{ ...all[0]!, gains, loses }] : []
  })
  const whole = effects.every((one) => one.rows.length < MOST_ROWS)
  const side = (of: 'gain' | 'lose', changes: 'gains' | 'loses') => {
    const changed = rows.filter((row) => row[changes].length)
    const ids = new Set(changed.flatMap((row) => row[changes].map(({ id }) => id)))
    const named = { users: changed.length, projects: ids.size }
    return whole ? named : effects.map((one) => one[of]).reduce((a, b) => (a.users > b.users ? a : b), named)
  }
  return { ...first, gain: side('gain', 'gains'), lose: side('lose', 'loses'), rows }
}

import { letsIn } from '../../contract/actor.ts'
import { nounOf, wordOf } from '../../contract/nounOf.ts'
import type { Role } from '../../contract/vocabulary.ts'
import { type Match, match } from './match.ts'
import type { Section } from './route.ts'

/** A tab of a screen that the caller may see. */
export interface ScreenTab {
  key: string
  title: string
  /** The path of this record's tab. */
  ref: string
  selected: boolean
}

/** Returns the tabs of a ref's screen that the role may see. A hidden tab is last, and only while it is open. */
export function tabsOf(ref: string | Match, role: Role): ScreenTab[] {
  const found = typeof ref === 'string' ? match(ref) : ref
  if (!found?.row.tabs) return []
  const base = found.row.path.replace(/\{(\w+)\}/g, (_, name: string) => found.params[name]!)
  return Object.entries(found.row.tabs).flatMap(([key, tab]) => {
    const selected = tab === found.tabRow || key === found.tab
    // An older path shows the tab it redirects to.
    const shown = !tab.hidden || key === found.tab
    return shown && letsIn(tab.access, { role }) ? [{ key, title: tab.title, ref: `${base}/${tab.path}`, selected }] : []
  })
}

/** Returns the sidebar section of a screen: that of its own entry, or else its record's. */
export function sectionOf(found: Match | null): Section | null {
  return found?.row.menu?.section ?? nounOf(found?.row.subject ?? '')?.section ?? null
}

/** The sidebar entry that lists a kind of record. */
const LISTED_IN: Readonly<Record<string, string>> = {
  project: 'allProjects',
  campaign: 'surveyProjects',
  activity: 'activities',
  survey: 'surveys',
  client: 'clients',
  team: 'teams',
  partner: 'partners',
  group: 'locations',
  location: 'locations',
  import: 'locations',
  brand: 'brands',
  notification: 'notifications',
}

/** Returns the sidebar entry of a screen: its own, or else the list of its record. */
export const entryOf = (found: Match | null): string | undefined =>
  found?.row.menu ? found.id : LISTED_IN[found?.row.subject ?? '']

/** Returns a tab's label: the record's name, plus the screen's tab unless it is the default one. */
export const paneTitle = (found: Match | null, name: string | null): string => titleParts(found, name).join(' · ')

/** The parts of that label: the record, and which of its screens if it isn't the first. */
export function titleParts(found: Match | null, name: string | null): [name: string, part?: string] {
  if (!found) return ['Not found']
  const opening = found.row.opens ?? Object.keys(found.row.tabs ?? {})[0]
  const tab = found.tab && found.tab !== opening ? (found.tabRow?.title ?? null) : null
  const { subject } = found.row
  const { id } = found.params
  const unnamed = id === '0' ? `New ${wordOf(subject!)}` : `${found.row.title} ${id}`
  const base = name ?? (subject && id ? unnamed : found.row.title)
  // A form or part of a record isn't the record: screen readers couldn't tell two tabs with one name apart.
  const home = found.row.subject && nounOf(found.row.subject)?.screen
  const part = tab ?? (name !== null && home && home !== found.id ? found.row.title : null)
  return part ? [base, part] : [base]
}

import { useAtomValue } from 'jotai'
import { DESK_LINES, DESK_RULE_IDS, DESK_RULES } from '../../../contract/deskRules.ts'
import { count, dollars } from '../../../contract/format.ts'
import { subjectAs } from '../../commands/subject.ts'
import { commandOf, isCommandId } from '../../commands/table.ts'
import { plain } from '../../commands/words.ts'
import { deskAtom } from '../../data/desk.ts'
import { useMay } from '../../data/permissions.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, Name, type RowOf } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { pathOfEntity } from '../../search/entities.ts'

type Line = RowOf<'desk'>

const muted = (text: string) => <span className={`truncate ${text ? 'text-muted' : 'text-faint'}`}>{text || '–'}</span>
const settles = ({ command }: Line): string => (isCommandId(command) ? plain(commandOf(command)) : '')
/** What was decided about a line, after its words. */
const decision = ({ state, acknowledged_by, snoozed_by, snoozed_until }: Line): string =>
  state === 'acknowledged'
    ? `acknowledged by ${acknowledged_by}`
    : state === 'snoozed'
      ? `snoozed by ${snoozed_by}${snoozed_until ? '' : ' until it changes'}`
      : ''

const columns = columnsOf('desk', {
  rule: { min: 150, flex: 1.5, priority: 12, render: (row) => <Name>{row.line}</Name> },
  name: { min: 150, flex: 2, priority: 11, narrow: 'meta', render: (row) => <bdi className="truncate">{row.name}</bdi> },
  detail: {
    min: 180,
    flex: 3,
    priority: 9,
    narrow: 'meta',
    render: (row) => muted([row.detail, decision(row)].filter(Boolean).join(', ')),
  },
  client: { min: 100, flex: 0.9, priority: 4, narrow: 'hidden', render: (row) => muted(row.client) },
  cost_cents: {
    width: 112,
    priority: 8,
    narrow: 'aside',
    render: (row) => (row.cost_cents === null ? '–' : dollars(row.cost_cents)),
  },
  since: { width: 84, priority: 7, narrow: 'hidden' },
  owner: { min: 84, flex: 0.7, priority: 6, narrow: 'hidden', render: (row) => muted(row.owner) },
  command: { min: 120, flex: 0.8, priority: 10, narrow: 'hidden', render: (row) => muted(settles(row)) },
})

const STATES = [
  { value: '', label: 'open' },
  { value: 'acknowledged', label: 'Acknowledged' },
  { value: 'snoozed', label: 'Snoozed' },
  { value: 'all', label: 'All' },
] as const
const WHOSE = [
  { value: '', label: 'mine and nobody’s' },
  { value: 'nobody', label: 'Nobody’s' },
  { value: 'all', label: 'Everybody’s' },
] as const
/** The most valuable first. */
const BY_COST = { column: 'cost_cents', direction: 'desc' } as const
/** The rules of a role, to choose one. */
const rulesOf = (who: 'admin' | 'client') => [
  { value: '', label: 'anything' },
  ...DESK_RULE_IDS.filter((id) => DESK_RULES[id].who === who).map((id) => ({ value: id, label: DESK_LINES[id] })),
]
/** What tells lines of several clients and owners apart. */
const AMONG_OTHERS = ['client', 'owner']
const OWN_COLUMNS = columns.filter(({ id }) => !AMONG_OTHERS.includes(id))

/** What the user settled today, for a desk without lines. */
function settledWords(settled: number | undefined): string {
  if (!settled) return 'Nothing needs you.'
  return `Nothing needs you. You settled ${settled === 1 ? 'one thing' : `${count(settled)} things`} today.`
}

/** Lists what needs the user, the most valuable first, with the command that settles each line. */
export default function DeskPane() {
  const settled = useAtomValue(deskAtom)?.settled_today
  const handsOver = useMay('desk.handOver')
  const list = useNounList('desk', {
    sort: BY_COST,
    filters: { state: '', whose: '', rule: '' },
    where: ({ state, whose, rule }) => ({
      ...(STATES.some(({ value }) => value === state) && state ? { state: state as Line['state'] } : {}),
      ...(WHOSE.some(({ value }) => value === whose) && whose ? { whose: whose as 'nobody' } : {}),
      ...(rule in DESK_LINES ? { rule: rule as Line['rule'] } : {}),
    }),
  })
  return (
    <ListScreen<Line>
      {...list}
      title="Desk"
      columns={handsOver ? columns : OWN_COLUMNS}
      subjectOf={subjectAs<Line>('desk', ({ line, name }) => `${line}: ${name}`)}
      hrefOf={(row) => pathOfEntity(row.kind, row.subject_id, '')}
      filters={[
        { name: 'state', label: 'State', options: STATES },
        ...(handsOver ? [{ name: 'whose', label: 'Whose', options: WHOSE }] : []),
        { name: 'rule', label: 'What', options: rulesOf(handsOver ? 'admin' : 'client') },
      ]}
      actions={['list.export']}
      bulk={['desk.acknowledge', 'desk.snooze', 'desk.handOver']}
      primary="desk.settle"
      empty={{ next: null, sentence: settledWords(settled), filtered: 'No line matches this search and these filters.' }}
    />
  )
}

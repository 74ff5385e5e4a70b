import { stripBidi } from '../../../contract/bidi.ts'
import { compareText } from '../../../contract/foldText.ts'
import { nounsWith, wordOf } from '../../../contract/nounOf.ts'
import { civilToday } from '../../../contract/pacing.ts'
import { deviceOf } from '../../../contract/userAgent.ts'
import { subjectAs } from '../../commands/subject.ts'
import { serverTime } from '../../data/serverClock.ts'
import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, type RowOf } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { displayZone } from '../../ui/displayZone.ts'

type Line = RowOf<'history'>

const ANY = { value: '', label: 'any' }
const TIMES = [
  ANY,
  { value: '1', label: 'today' },
  { value: '7', label: 'last 7 days' },
  { value: '30', label: 'last 30 days' },
  { value: '365', label: 'last 365 days' },
]
/** The kinds of records that lines are about, with their words. */
const KINDS = [
  ANY,
  ...nounsWith(({ words, of }) => words !== undefined && of === undefined)
    .filter((noun) => noun !== 'history')
    .map((value) => ({ value, label: wordOf(value) }))
    .sort((a, b) => compareText(a.label, b.label)),
]

/** Formats a value of a change for a cell. */
const shown = (value: unknown): string => (typeof value === 'string' ? value : value == null ? '–' : JSON.stringify(value))

/** Summarizes a change: "from 203.0.113.7, Chrome on Windows", "role: client → admin". */
function changeText({ before, after, reason }: Line): string {
  const { from, device, ...rest } = after
  const origin = typeof from === 'string' ? [`from ${[from, deviceOf(String(device ?? ''))].filter(Boolean).join(', ')}`] : []
  const fields = [...new Set([...Object.keys(before), ...Object.keys(rest)])].map((field) => {
    const is = field in rest ? shown(rest[field]) : 'removed'
    return `${field.replace(/_/g, ' ')}: ${field in before ? `${shown(before[field])} → ` : ''}${is}`
  })
  return [...origin, ...fields, ...(reason ? [`“${reason}”`] : [])].join(' · ')
}

const muted = (text: string) => (
  <span title={text} className={`truncate ${text ? 'text-muted' : 'text-faint'}`}>
    {text || '–'}
  </span>
)
const columns = columnsOf('history', {
  who: {
    min: 140,
    flex: 1.5,
    priority: 10,
    render: ({ who, acting_admin, token }) => (
      <span className="truncate font-medium">
        {who}
        {acting_admin && <span className="font-normal text-muted"> ({acting_admin} acting)</span>}
        {token && <span className="font-normal text-muted"> (token “{token}”)</span>}
      </span>
    ),
  },
  at: { width: 132, priority: 11, narrow: 'aside' },
  action: { min: 170, flex: 1.5, priority: 9, narrow: 'meta', render: ({ words }) => muted(words) },
  record: {
    min: 140,
    flex: 1.5,
    priority: 8,
    narrow: 'meta',
    render: ({ record, subject, subject_id }) => muted(record || (subject_id ? `${wordOf(subject)} ${subject_id}` : '')),
  },
  after: { min: 200, flex: 3, priority: 7, header: 'Change', render: (row) => muted(stripBidi(changeText(row))) },
  id: { width: 88, priority: 1, narrow: 'hidden' },
})

/** Returns the first day of a number of days that end today. */
const since = (days: string): string =>
  civilToday(displayZone.of(), new Date(serverTime().getTime() - (Number(days) - 1) * 86_400_000))

/** Lists everything that was done: sign-ins, rights, tokens and every change, for administrators. */
export default function HistoryPane() {
  const people = useCall('user.dropdown', {}).data?.data ?? []
  const list = useNounList('history', {
    filters: { person: '', kind: '', time: '' },
    where: ({ person, kind, time }) => ({
      ...(/^\d+$/.test(person) ? { user_id: Number(person) } : {}),
      ...(KINDS.some(({ value }) => value === kind) ? { noun: kind } : {}),
      ...(/^\d+$/.test(time) ? { start: since(time) } : {}),
    }),
    pageSize: 50,
  })
  return (
    <ListScreen<Line>
      {...list}
      title="History"
      columns={columns}
      subjectOf={subjectAs<Line>('history', ({ who, words }) => `${who} ${words}`)}
      filters={[
        {
          name: 'person',
          label: 'Person',
          options: [ANY, ...people.map(({ id, name }) => ({ value: String(id), label: name }))],
        },
        { name: 'kind', label: 'Kind', options: KINDS },
        { name: 'time', label: 'Time', options: TIMES },
      ]}
      actions={['list.export']}
      empty={{ next: null, sentence: 'Nothing has happened yet.', filtered: 'Nothing like this has happened.' }}
    />
  )
}

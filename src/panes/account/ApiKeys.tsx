import type { Output } from '../../../contract/calls.ts'
import { showTime } from '../../../contract/format.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { moment } from '../../data/format.ts'
import { store } from '../../data/jotaiStore.ts'
import { serverTime } from '../../data/serverClock.ts'
import { configAtom } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Badge } from '../../ui/Pill.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { SettingsSection } from '../shared/SettingsSection.tsx'

type ApiKey = Output<'key.list'>['data'][number]

const isOver = (at: string | null): boolean => at !== null && Date.parse(at) <= serverTime().getTime()

/** Formats a key's last valid day: "Dec 31, 2099". */
const lastDay = (end: string): string => showTime(Date.parse(end) - 1, 'day and year', store.get(configAtom).time_zone)

/** Lists what a key gives access to. */
function opensText({ projects, surveys, services, all_services }: ApiKey): string {
  if (all_services) return 'All services'
  const names = [...projects, ...surveys, ...services].map(({ name }) => name)
  if (!names.length) return 'All surveys'
  const shown = names.slice(0, 3).join(', ')
  return `${projects.length ? 'Surveys of ' : ''}${shown}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`
}

/** Manages the API keys that importers send responses with; for administrators (decisions.md 10). */
export function ApiKeys() {
  const answer = useCall('key.list', {})
  const keys = answer.data?.data ?? []
  return (
    <SettingsSection
      title="API keys"
      about="Programs use a key to send responses to its surveys, or visits to its services. A key is shown once, when you create it."
      action={keys.length > 0 && <CommandButton id="key.create" />}
    >
      <AnswerState
        answer={answer}
        what="The API keys"
        rows={2}
        empty={
          <EmptyState className="py-6!" action={<CommandButton id="key.create" />}>
            No API keys yet.
          </EmptyState>
        }
      />
      <ul className="divide-y divide-line">
        {keys.map((key) => (
          <li key={key.id} className="flex min-h-12 items-center gap-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="flex items-center gap-2">
                <span className="truncate font-medium">{key.name}</span>
                {key.revoked_at ? <Badge>revoked</Badge> : isOver(key.expires_at) && <Badge>expired</Badge>}
              </p>
              <p className="text-meta text-muted">
                {opensText(key)} · {key.reads ? 'can read questions' : 'can’t read questions'} ·{' '}
                {key.expires_at
                  ? `${isOver(key.expires_at) ? 'expired' : 'expires'} after ${lastDay(key.expires_at)}`
                  : 'never expires'}
              </p>
              <p className="text-meta text-muted">
                Created {moment(key.created_at)} by {key.created_by_name} ·{' '}
                {key.last_used_at
                  ? `last used ${moment(key.last_used_at)}${key.last_address ? ` from ${key.last_address}` : ''}`
                  : 'never used'}
              </p>
            </div>
            {!key.revoked_at && (
              <CommandButton id="token.revoke" subjects={[{ kind: 'token', id: key.id, name: key.name }]} plain>
                Revoke
              </CommandButton>
            )}
          </li>
        ))}
      </ul>
    </SettingsSection>
  )
}

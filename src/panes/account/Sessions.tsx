import type { Output } from '../../../contract/calls.ts'
import { deviceOf } from '../../../contract/userAgent.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Badge } from '../../ui/Pill.tsx'
import { SettingsSection } from '../shared/SettingsSection.tsx'

type Session = Output<'account.sessions'>['data'][number]

const nameOf = (session: Session) => deviceOf(session.user_agent)

/** Lists the user's sessions and ends them. */
export function Sessions() {
  const answer = useCall('account.sessions', {})
  const sessions = answer.data?.data ?? []
  return (
    <SettingsSection
      title="Sessions"
      about="Where you’re signed in. Sessions expire after two weeks."
      action={sessions.length > 1 && <CommandButton id="account.endOtherSessions" plain />}
    >
      <AnswerState answer={answer} what="Your sessions" rows={3} />
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <li key={session.id} className="flex min-h-12 items-center gap-3 py-1.5">
            <div className="min-w-0 flex-1">
              <p className="flex items-center gap-2">
                <span className="truncate font-medium">{nameOf(session)}</span>
                {session.current && <Badge tone="green">this browser</Badge>}
                {session.acting && <Badge tone="amber">an administrator acting as you</Badge>}
              </p>
              <p className="text-meta text-muted">
                since {moment(session.created_at)} · last seen{' '}
                <time dateTime={session.last_seen_at} title={moment(session.last_seen_at, 'full')}>
                  {moment(session.last_seen_at)}
                </time>
              </p>
            </div>
            {!session.current && (
              <CommandButton
                id="account.endSession"
                subjects={[{ kind: 'session', id: session.id, name: nameOf(session) }]}
                variant="ghost"
              >
                Sign out
              </CommandButton>
            )}
          </li>
        ))}
      </ul>
    </SettingsSection>
  )
}

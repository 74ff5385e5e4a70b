import type { Output } from '../../../contract/calls.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { useCall } from '../../data/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { Pill, type Shape, type Tone } from '../../ui/Pill.tsx'
import { SettingsSection } from '../shared/SettingsSection.tsx'

type Health = Output<'organization.health'>['data']
type Line = Health['lines'][number]

const LOOKS: Readonly<Record<Line['state'], readonly [tone: Tone, shape: Shape, word: string]>> = {
  well: ['green', 'tick', 'OK'],
  look: ['amber', 'triangle', 'Check'],
  wrong: ['red', 'cross', 'Wrong'],
}

/** Shows administrators the checks of `npm run doctor` (docs/operating.md). */
export default function HealthPane() {
  const answer = useCall('organization.health', {})
  const health = answer.data?.data
  return (
    <div className="@container">
      <h1 className="px-4 pt-3.5 text-head">System health</h1>
      <AnswerState answer={answer} what="The system’s health" rows={8} />
      {health && <Lines health={health} busy={answer.refreshing} again={answer.retry} />}
    </div>
  )
}

function Lines({ health: { release, lines }, busy, again }: { health: Health; busy: boolean; again: () => void }) {
  const [growing, looked] = [lines.filter(({ part }) => part === 'grows'), lines.filter(({ part }) => part !== 'grows')]
  const button = (
    <div data-view="">
      <Button busy={busy} onClick={again}>
        Check again
      </Button>
    </div>
  )
  return (
    <>
      <SettingsSection title={`Fieldwork ${release}`} about={summaryOf(lines)} action={button}>
        <ul aria-label="Checks" className="grid gap-3">
          {looked.map(({ part, state, sentence }) => {
            const [tone, shape, word] = LOOKS[state]
            return (
              <li key={`${part} ${sentence}`} className="flex items-start gap-3">
                <span className="w-18 shrink-0">
                  <Pill tone={tone} shape={shape}>
                    {word}
                  </Pill>
                </span>
                <span className="min-w-0 break-words">
                  <span className="font-medium">{part.charAt(0).toUpperCase() + part.slice(1)}</span>
                  <span className="block text-muted">{sentence}</span>
                </span>
              </li>
            )
          })}
        </ul>
      </SettingsSection>
      <SettingsSection title="Growing tables" about="Rows of the tables that grow by themselves, and what deletes them.">
        <ul aria-label="Growing tables" className="grid gap-1 text-muted">
          {growing.map(({ sentence }) => (
            <li key={sentence} className="break-words">
              {sentence}
            </li>
          ))}
        </ul>
      </SettingsSection>
    </>
  )
}

function summaryOf(lines: readonly Line[]): string {
  const [wrong, look] = (['wrong', 'look'] as const).map((state) => lines.filter((line) => line.state === state).length)
  if (wrong) return `${wrong} wrong, ${look} to check.`
  return look ? `Nothing is wrong; ${look} to check.` : 'Everything is well.'
}

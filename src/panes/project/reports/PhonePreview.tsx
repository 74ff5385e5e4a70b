import { useState } from 'react'
import type { LandingValues } from '../../../../contract/landingFields.ts'
import type { Channel } from '../../../commands/landingController.ts'
import { Button } from '../../../ui/Button.tsx'
import { CHANNEL_WORDS } from './landingForm.ts'

/** Previews a channel's landing page at phone width: the question, its answers, and what follows each. */
export function PhonePreview({ channel, values }: { channel: Channel; values: LandingValues }) {
  const [answer, setAnswer] = useState<'yes' | 'no' | null>(null)
  const [question, disqualifyText] = [values[`${channel}_q1_text`].trim(), values[`${channel}_disqualify_text`].trim()]
  const answered = (is: 'yes' | 'no') => () => setAnswer(answer === is ? null : is)
  return (
    <section aria-label={`${CHANNEL_WORDS[channel]} preview`} className="min-w-0">
      <h3 className="text-meta font-medium text-muted">{CHANNEL_WORDS[channel]}, as on a phone</h3>
      <div className="mt-1.5 w-[390px] max-w-full rounded-lg border border-edge bg-sunken p-2">
        <div className="flex min-h-56 flex-col gap-4 rounded-md border border-line bg-surface px-5 py-6">
          <p className="break-words text-title whitespace-pre-wrap">
            {question || <span className="text-faint">The question</span>}
          </p>
          <div className="grid grid-cols-2 gap-2">
            {(['yes', 'no'] as const).map((is) => (
              <Button
                key={is}
                data-view=""
                variant={answer === is ? 'primary' : 'default'}
                aria-pressed={answer === is}
                onClick={answered(is)}
              >
                {is === 'yes' ? 'Yes' : 'No'}
              </Button>
            ))}
          </div>
          <dl className="mt-auto flex flex-col gap-2.5 border-t border-line pt-3">
            {answer !== 'no' && (
              <div>
                <dt className="text-meta text-muted">Yes leads to</dt>
                <dd className="break-all font-mono text-meta">
                  {values.survey_url.trim() || <span className="text-faint">the survey</span>}
                </dd>
              </div>
            )}
            {answer !== 'yes' && (
              <div>
                <dt className="text-meta text-muted">No shows</dt>
                <dd className="break-words whitespace-pre-wrap">
                  {disqualifyText || <span className="text-faint">the disqualify text</span>}
                </dd>
              </div>
            )}
          </dl>
        </div>
      </div>
    </section>
  )
}

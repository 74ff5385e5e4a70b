import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { showTime } from '../../../contract/format.ts'
import { CLIENT_NEWS, mailOf, NEWS, NEWS_KINDS, NEWS_MAILS } from '../../../contract/news.ts'
import { useMay } from '../../data/permissions.ts'
import { type Preferences, preferencesAtom, setPreferences } from '../../data/preferences.ts'
import { configAtom } from '../../data/session.ts'
import { Field } from '../../ui/Field.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { Select } from '../../ui/Select.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { SettingsSection } from '../shared/SettingsSection.tsx'

const set = (patch: Partial<Preferences>) =>
  void setPreferences(patch).catch((error: Error) => workspace.notice(error.message, 'bad'))

/** The waits to choose from, in seconds (decisions.md 14). */
const WAITS = ['8', '15', '20', '30'] as const

/** Sets time zone, theme and density; each applies at once, on every device. */
export function Appearance() {
  const { theme, density, time_zone, notices_stay, outside_seconds } = useAtomValue(preferencesAtom)
  const config = useAtomValue(configAtom)
  const zones = useMemo(
    () => Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    [],
  )
  const now = showTime(new Date(), 'clock', time_zone || config.time_zone)
  return (
    <SettingsSection title="Time zone and appearance" about="Saved for all your devices.">
      <div className="flex flex-col gap-4">
        <Field
          label="Time zone"
          hint={`Times are shown in this zone, where it’s ${now}. Field dates stay in ${config.time_zone.replaceAll('_', ' ')}.`}
          className="max-w-80"
        >
          <Select
            value={time_zone}
            onChange={(zone) => set({ time_zone: zone })}
            options={zones}
            placeholder={`Organization default (${config.time_zone.replaceAll('_', ' ')})`}
          />
        </Field>
        <Field label="Theme" group>
          <RadioGroup
            value={theme}
            onChange={(next) => set({ theme: next })}
            options={[
              { value: 'system', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
        </Field>
        <Switch checked={notices_stay} onChange={(on) => set({ notices_stay: on })}>
          Keep notices until I close them
        </Switch>
        <Field label="Time to undo" group hint="How long emails, payments and launches wait before they leave.">
          <RadioGroup
            value={String(outside_seconds) as (typeof WAITS)[number]}
            onChange={(seconds) => set({ outside_seconds: Number(seconds) })}
            options={WAITS.map((seconds) => ({ value: seconds, label: `${seconds} seconds` }))}
          />
        </Field>
        <Field label="Rows" group>
          <RadioGroup
            value={density}
            onChange={(next) => set({ density: next })}
            options={[
              { value: 'dense', label: 'Dense, 28 px' },
              { value: 'compact', label: 'Compact, 32 px' },
              { value: 'comfortable', label: 'Comfortable, 40 px' },
            ]}
          />
        </Field>
      </div>
    </SettingsSection>
  )
}

/** Chooses the first screen after signing in. */
export function FirstScreen() {
  const { starts_at_desk } = useAtomValue(preferencesAtom)
  return (
    <SettingsSection title="First screen" about="What opens after you sign in.">
      <Switch checked={starts_at_desk} onChange={(on) => set({ starts_at_desk: on })}>
        Start at the desk, not at all projects
      </Switch>
    </SettingsSection>
  )
}

/** Toggles email copies of notifications, besides the inbox (decisions.md 13, Notifications). */
export function NotificationMail() {
  const { notification_mail } = useAtomValue(preferencesAtom)
  return (
    <SettingsSection title="Notifications" about="Notifications always appear in your inbox.">
      <Switch checked={notification_mail} onChange={(on) => set({ notification_mail: on })}>
        Email me notifications
      </Switch>
    </SettingsSection>
  )
}

/** Chooses when news about followed projects and one's own files is mailed, kind by kind. */
export function NewsMail() {
  const { news_mail } = useAtomValue(preferencesAtom)
  const kinds = useMay('project.seeAll') ? NEWS_KINDS : CLIENT_NEWS
  return (
    <SettingsSection
      title="Email about what you follow"
      about="Your inbox always shows this news. What is due together comes in one email. Quotes and decisions on them have emails of their own."
    >
      <div className="flex max-w-[480px] flex-col gap-3 @md:gap-1.5">
        {kinds.map((kind) => (
          <Field
            key={kind}
            label={`When ${NEWS[kind].when}`}
            className="@md:flex-row @md:items-center @md:justify-between @md:gap-4 @md:[&>label]:self-center"
          >
            <div className="@md:w-40">
              <Select
                value={mailOf({ news_mail }, kind)}
                onChange={(how) => set({ news_mail: { ...news_mail, [kind]: how as (typeof NEWS_MAILS)[number]['value'] } })}
                options={NEWS_MAILS}
              />
            </div>
          </Field>
        ))}
      </div>
    </SettingsSection>
  )
}

/** Turns single-letter shortcuts on or off (WCAG 2.1.4). */
export function SingleKeys() {
  const { single_keys } = useAtomValue(preferencesAtom)
  return (
    <Switch checked={single_keys} onChange={(on) => set({ single_keys: on })}>
      Use single letters as shortcuts
    </Switch>
  )
}

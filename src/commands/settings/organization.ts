import {
  NAME_WORDS,
  type NameSetting,
  type NumberSetting,
  SETTING_WORDS,
  TELL_NOT_CHOSEN,
  wrongName,
  wrongNumber,
} from '../../../contract/settingWords.ts'
import { ask, command } from '../command.ts'

const isName = (name: unknown): name is NameSetting => typeof name === 'string' && name in NAME_WORDS
const isNumber = (name: unknown): name is NumberSetting => typeof name === 'string' && name in SETTING_WORDS
const words = { ...SETTING_WORDS, ...NAME_WORDS }
type Words = { label: string; hint: string; unit?: string }

/** The organization's settings, changed one at a time. */
export const organizationCommands = {
  'organization.edit': command({
    title: 'Change an organization setting…',
    detail: 'margin, answer by, validity, names, email',
    on: 'nothing',
    group: 'help',
    icon: 'pencil',
    keywords: 'usual margin floor working days ageing support team product sender reply footer email tell partners not chosen',
    undo: 'restores',
    asks: {
      setting: ask.option({
        label: 'Setting',
        named: 'Setting',
        options: [
          ...Object.entries<Words>(words).map(([value, { label, hint, unit }]) => ({
            value,
            label,
            detail: unit && unit !== '%' ? `${hint} In ${unit}.` : hint,
          })),
          { value: 'tell_not_chosen', label: TELL_NOT_CHOSEN },
        ],
      }),
      number: ask.text({
        label: 'Number',
        when: ({ setting }) => isNumber(setting),
        keeps: (text) => text.replace(/\D/g, ''),
        check: (typed, { setting }) => (isNumber(setting) ? wrongNumber(setting, typed) : null),
      }),
      text: ask.text({
        label: 'Text',
        when: ({ setting }) => isName(setting) && setting !== 'mail_footer',
        optional: true,
        check: (typed, { setting }) => (isName(setting) ? wrongName(setting, typed) : null),
      }),
      footer: ask.text({
        label: NAME_WORDS.mail_footer.label,
        lines: 4,
        optional: true,
        when: ({ setting }) => setting === 'mail_footer',
        check: (typed) => wrongName('mail_footer', typed),
      }),
      tell: ask.option({
        label: TELL_NOT_CHOSEN,
        options: [
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ],
        when: ({ setting }) => setting === 'tell_not_chosen',
      }),
    },
    async run({ api, answers: { setting, number, text, footer, tell } }) {
      const value = isNumber(setting)
        ? Number(number)
        : setting === 'mail_footer'
          ? (footer ?? '')
          : isName(setting)
            ? (text ?? '')
            : tell === 'yes'
      const { message } = await api.write('organization.edit', { [setting]: value })
      return { message }
    },
  }),
  'organization.testMail': command({
    title: 'Send me a test email',
    detail: 'with the organization’s sender and footer',
    on: 'nothing',
    group: 'help',
    icon: 'mail',
    keywords: 'smtp email server outbox',
    undo: 'needless',
    async run({ api }) {
      const { message } = await api.write('organization.testMail', {})
      return { message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof organizationCommands> {}
}

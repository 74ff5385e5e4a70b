import { MESSAGES } from '../../../contract/messages.ts'
import { PERIOD_WORDS, VISIT_PERIODS, type VisitPeriod } from '../../../contract/visitPeriod.ts'
import { may } from '../../data/permissions.ts'
import { activeBrandInfo, type BrandInfoController } from '../brandInfoController.ts'
import { ask, command, type RawAnswers } from '../command.ts'
import { copiedRows } from '../copying.ts'
import type { PictureFormat } from '../responsesController.ts'

const onScreen = (reason?: (here: BrandInfoController) => string | null) => () => {
  const here = activeBrandInfo()
  return here ? (reason?.(here) ?? null) : 'open a brand’s visits first'
}
/** The common part of commands on the active screen. */
const ofScreen = { on: 'nothing', group: 'workspace', disabledReason: onScreen() } as const
/** The option to choose several market areas, besides the presets. */
const OWN = 'own'
const isCustom = ({ date }: RawAnswers) => date === 'custom'
const now = (is: boolean) => (is ? { detail: 'now' } : {})

/** What the screen of a brand's visits shows, and its export (screens-visitation.md, Brand info). */
export const brandInfoCommands = {
  'brand.period': command({
    ...ofScreen,
    title: 'Choose the period…',
    keywords: 'date range days week month today yesterday custom visits',
    icon: 'calendar',
    asks: {
      date: ask.option({
        label: 'Period',
        options: () =>
          VISIT_PERIODS.map((value) => ({
            ...{ value, label: value === 'custom' ? 'Custom…' : PERIOD_WORDS[value] },
            ...now(activeBrandInfo()?.view().date === value),
          })),
      }),
      start: ask.date({ label: 'Start', when: isCustom }),
      end: ask.date({
        label: 'End, empty for five days',
        optional: true,
        when: isCustom,
        check: (end: string, { start }: RawAnswers) => (end && String(start) > end ? MESSAGES.startBeforeEnd : null),
      }),
    },
    run({ answers: { date, start = '', end = '' } }) {
      activeBrandInfo()?.setView({ date: date as VisitPeriod, ...(date === 'custom' ? { start, end } : {}) })
    },
  }),
  'brand.widen': command({
    ...ofScreen,
    title: 'Widen the period',
    keywords: 'longer more days visits',
    icon: 'calendar',
    disabledReason: onScreen((here) => (here.widen ? null : 'there is no wider period')),
    run: () => activeBrandInfo()?.widen?.(),
  }),
  'brand.markets': command({
    ...ofScreen,
    title: 'Choose market areas…',
    keywords: 'dma top 10 25 50 all cities filter visits',
    icon: 'visits',
    disabledReason: onScreen((here) => (here.markets().areas.length ? null : 'the market areas haven’t loaded yet')),
    asks: {
      set: ask.option({
        label: 'Market areas',
        options: () => [
          ...(activeBrandInfo()?.markets().presets ?? []),
          { value: OWN, label: 'Choose areas…', detail: 'any of 210' },
        ],
      }),
      areas: ask.several({
        label: 'Areas',
        options: () => activeBrandInfo()?.markets().areas ?? [],
        prefill: () => activeBrandInfo()?.view().dmas.map(String) ?? [],
        when: ({ set }) => set === OWN,
      }),
    },
    run({ answers: { set, areas } }) {
      if (set === OWN) activeBrandInfo()?.setView({ dmas: (areas ?? []).map(Number) })
      else activeBrandInfo()?.setPreset(set)
    },
  }),
  'brand.service': command({
    ...ofScreen,
    title: 'Choose a service…',
    keywords: 'venues all filter visits',
    icon: 'list',
    disabledReason: onScreen((here) => (here.services().length > 1 ? null : 'there is nothing to choose from')),
    asks: { service: ask.option({ label: 'Service', options: () => activeBrandInfo()?.services() ?? [] }) },
    run: ({ answers }) => activeBrandInfo()?.setView({ service: Number(answers.service) || null }),
  }),
  'brand.before': command({
    ...ofScreen,
    title: 'Compare with the period before',
    titleNow: () => (activeBrandInfo()?.before() ? 'Stop comparing with the period before' : null),
    keywords: 'change growth previous visits',
    icon: 'arrows',
    run: () => activeBrandInfo()?.toggleBefore(),
  }),
  'visit.export': command({
    ...ofScreen,
    title: 'Export visits…',
    detail: 'with these filters',
    undo: 'needless',
    keywords: 'csv xlsx excel download venue data',
    icon: 'download',
    disabledReason: onScreen((here) => here.empty()),
    asks: {
      format: ask.option({
        label: 'Format',
        options: [
          { value: 'csv', label: 'CSV' },
          { value: 'xlsx', label: 'Excel (XLSX)' },
        ],
      }),
      venues: ask.option({
        label: 'Venues',
        when: () => may('visit.exportVenues'),
        options: [
          { value: 'no', label: 'Figures only' },
          { value: 'yes', label: 'Include venue data', detail: 'names and addresses' },
        ],
      }),
    },
    async run({ api, answers, workspace }) {
      const here = activeBrandInfo()
      if (!here) return undefined
      const { job_id, message } = await api.read('visit.counts', {
        ...here.exportInput(),
        process: 'export',
        format: answers.format === 'xlsx' ? 'xlsx' : 'csv',
        ...(answers.venues === 'yes' ? { include_venue: 1 } : {}),
      })
      if (job_id) workspace.follow(job_id, 'Visits ready')
      return { note: message ?? 'The export is on its way.' }
    },
  }),
  'visit.picture': command({
    ...ofScreen,
    title: 'Save the daily graph as an image…',
    keywords: 'png svg image slide presentation download chart',
    icon: 'picture',
    disabledReason: onScreen((here) => here.empty()),
    asks: {
      format: ask.option({
        label: 'Format',
        options: [
          { value: 'png', label: 'PNG', detail: 'for slides' },
          { value: 'svg', label: 'SVG', detail: 'sharp at any size' },
        ],
      }),
    },
    async run({ answers }) {
      const name = await activeBrandInfo()?.picture(answers.format as PictureFormat)
      return name ? { note: `Saved ${name}` } : undefined
    },
  }),
  'visit.copy': command({
    ...ofScreen,
    title: 'Copy visits by day',
    detail: 'for a sheet',
    keywords: 'clipboard spreadsheet excel figures table',
    icon: 'copy',
    disabledReason: onScreen((here) => here.empty()),
    async run() {
      const copied = await activeBrandInfo()?.copy()
      return copied && copiedRows(copied, 'Visits by day')
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof brandInfoCommands> {}
}

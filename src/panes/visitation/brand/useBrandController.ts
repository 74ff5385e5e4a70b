import type { Brand } from '../../../../contract/brand.ts'
import { PRESETS } from '../../../../contract/dmaPresets.ts'
import { count } from '../../../../contract/format.ts'
import type { VisitCounts } from '../../../../contract/visit.ts'
import type { DayRange } from '../../../../contract/visitPeriod.ts'
import { PERIOD_WORDS } from '../../../../contract/visitPeriod.ts'
import { type BrandInfoController, registerBrandInfo } from '../../../commands/brandInfoController.ts'
import { encodeQuery } from '../../../routing/routes.ts'
import type { Behind } from '../../../ui/charts/DailyGraph.tsx'
import type { Day } from '../../../ui/charts/dailyWords.ts'
import { usePane } from '../../../workspace/pane.tsx'
import { useController } from '../../../workspace/useController.ts'
import { browserMeasure, fileName, pngOf, saveFile, svgOf, themeColours } from '../../shared/chartSvg.ts'
import { copySheet } from '../../shared/copySheet.ts'
import type { Dma } from '../../shared/dma.ts'
import { pictureOfDays } from './dailyPicture.ts'
import type { VisitViewState } from './useVisitView.ts'
import { codesOfPreset, inOrder, inputOfView, queryOfView, showMarkets, showRange, widerThan } from './visitView.ts'

interface Screen {
  id: number
  brand: Brand | undefined
  name: string
  state: VisitViewState
  dmas: readonly Dma[]
  range: DayRange
  counts: VisitCounts | undefined
  days: readonly Day[] | undefined
  behind: Behind | null
}

/** Runs the commands of the screen in front. */
export function useBrandController(screen: Screen): void {
  const { active } = usePane()
  useController(registerBrandInfo, controllerOf(screen, active))
}

function controllerOf(screen: Screen, active: boolean): BrandInfoController {
  const view = () => screen.state.view
  return {
    active: () => active,
    view,
    before: () => screen.state.before,
    setView: (patch) => screen.state.setView(patch.dmas ? { ...patch, dmas: inOrder(patch.dmas) } : patch),
    toggleBefore: () => screen.state.toggleBefore(),
    get widen() {
      const wider = widerThan(view(), screen.state.today)
      return wider && (() => screen.state.setView(wider))
    },
    markets: () => ({
      presets: PRESETS.map(({ label, size }) => ({
        value: label,
        label,
        ...(showMarkets(screen.dmas, view().dmas) === label ? { detail: 'now' } : size ? { detail: 'largest by homes' } : {}),
      })),
      areas: screen.dmas.map(({ dma_code, dma_name, rank }) => ({
        value: String(dma_code),
        label: dma_name,
        ...(rank ? { detail: `rank ${rank}` } : {}),
      })),
    }),
    setPreset: (label) => screen.state.setView({ dmas: codesOfPreset(screen.dmas, label) }),
    services: () => {
      const all = screen.brand?.children ?? []
      return [
        { value: '0', label: 'All services', ...(view().service === null ? { detail: 'now' } : {}) },
        ...all.map(({ id, name, category }) => ({
          value: String(id),
          label: name,
          detail: view().service === id ? 'now' : category,
        })),
      ]
    },
    filters: () =>
      screen.state.filters.map(({ filter_id, filter_name, filter_date_type }) => ({
        value: String(filter_id),
        label: filter_name,
        detail: PERIOD_WORDS[filter_date_type],
      })),
    filter() {
      const { filter, changed } = screen.state
      return filter && { id: filter.filter_id, name: filter.filter_name, changed }
    },
    openFilter: (id) => screen.state.openFilter(id),
    kept() {
      const { id, state } = screen
      if (!id || state.problem) return null
      const { bid: _, ...filter } = inputOfView(id, view())
      const { service } = view()
      return {
        brand_id: id,
        ...(service ? { service_id: service } : {}),
        filter,
        customFilterURL: Object.entries(queryOfView(view(), true))
          .flatMap(([key, value]) => (value === null || value === undefined ? [] : [`${key}=${encodeQuery(String(value))}`]))
          .join('&'),
      }
    },
    empty() {
      const { counts, days, state } = screen
      if (state.problem) return state.problem
      if (!counts || !days) return 'the figures haven’t loaded yet'
      return counts.total === 0 ? 'there are no visits in this period' : null
    },
    exportInput: () => inputOfView(screen.id, view()),
    async picture(format) {
      const { name, days = [], range, dmas, counts, behind, state } = screen
      const title = `${name}: visits by day`
      const service = screen.brand?.children.find(({ id }) => id === view().service)
      const picture = pictureOfDays(
        {
          title,
          about: `${showRange(range)} · ${service?.name ?? 'All services'} · ${showMarkets(dmas, view().dmas)}`,
          foot: counts
            ? `${count(counts.total)} visits, ${counts.unique_exact ? '' : 'about '}${count(counts.unique)} unique devices`
            : '',
          ...{ days, behind, today: state.today },
        },
        themeColours(),
        browserMeasure(),
      )
      const file = fileName(title, format)
      saveFile(file, format === 'svg' ? new Blob([svgOf(picture, title)], { type: 'image/svg+xml' }) : await pngOf(picture))
      return file
    },
    async copy() {
      const { name, days = [], range, behind } = screen
      const rows = days.map(({ date, total, unique }, at) => [
        ...[date, total, unique],
        ...(behind ? [behind.days[at]?.total ?? '', behind.days[at]?.unique ?? ''] : []),
      ])
      const also = behind ? [`Visits, ${behind.name}`, `Unique, ${behind.name}`] : []
      return copySheet({ title: `${name}: visits, ${showRange(range)}`, head: ['Date', 'Visits', 'Unique', ...also], rows })
    },
  }
}

import { foldText } from '../../contract/fold.ts'

/** The texts of a place that lists search and sort by. */
interface PlaceTexts {
  name: string
  address: string
  city: string
  zip: string
}
/** A place's texts as searches and orders see them; null where plain letters leave that to the engine. */
export interface PlaceFolds {
  name_fold: string | null
  city_fold: string | null
  address_fold: string | null
}

const ASCII = /^[\0-\x7f]*$/
const foldOf = (text: string) => (ASCII.test(text) ? null : foldText(text))

/** The columns that follow from a place's texts. They are indexed, as there are hundreds of thousands of places. */
export const placeFolds = ({ name, address, city, zip }: PlaceTexts): PlaceFolds => ({
  name_fold: foldOf(name),
  city_fold: foldOf(city),
  address_fold: foldOf(`${address} ${city} ${zip}`),
})

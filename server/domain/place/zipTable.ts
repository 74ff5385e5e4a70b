/** The ZIP codes of the package `zipcodes` in order, with their centers and cities ("Boston, MA"), one on each line. */
export interface ZipTable {
  zips: Int32Array
  latitudes: Float64Array
  longitudes: Float64Array
  cities: string
}

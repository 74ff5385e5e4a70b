/** An industry with its brands, products and seasons; all names are fictional. */
export interface Industry {
  name: string
  brands: readonly string[]
  endings: readonly string[]
  products: readonly string[]
}

const split = (text: string): string[] => text.split(',').map((word) => word.trim())

export const INDUSTRIES: readonly Industry[] = [
  {
    name: 'Snacks',
    brands: split('Harvest & Pine,Crisp Meadow,Golden Acre,Little Kettle,Nutfield,Saltbox'),
    endings: split('Snacks,Foods,Provisions,Kitchen'),
    products: split('Snack,Trail Mix,Popcorn,Granola Bar,Cracker,Veggie Chip,Protein Bite'),
  },
  {
    name: 'Beverages',
    brands: split('Bluewater Springs,Copper Kettle,Fennel & Fizz,Highland Brew,Juniper Lane,Citrus Row'),
    endings: split('Beverages,Brewing,Tea Co.,Coffee Roasters'),
    products: split('Cold Brew,Sparkling Water,Iced Tea,Oat Latte,Lemonade,Kombucha,Energy Drink'),
  },
  {
    name: 'Dairy',
    brands: split('Clover Hollow,Maple Pasture,Two Barns,Morning Pail'),
    endings: split('Dairy,Creamery,Farms'),
    products: split('Greek Yogurt,Oat Milk,Ice Cream,String Cheese,Kefir,Cottage Cheese'),
  },
  {
    name: 'Grocery',
    brands: split('Marketday,Larkspur,Basket & Bell,Cornerstone,Fairlane'),
    endings: split('Grocers,Markets,Fresh'),
    products: split('Weekly Shop,Private Label,Self-Checkout,Deli Counter,Curbside Pickup,Loyalty App'),
  },
  {
    name: 'Restaurants',
    brands: split('Ember & Oak,Sunny Fork,Paper Lantern,Red Barn,The Tamale Post'),
    endings: split('Grill,Diners,Burgers,Pizza'),
    products: split('Lunch Combo,Breakfast Menu,Delivery App,Kids Menu,Spicy Chicken,Drive-Thru,Value Menu'),
  },
  {
    name: 'Apparel',
    brands: split('Thistle & Thread,Northbound,Parker Mills,Stonewash,Linden Row'),
    endings: split('Apparel,Outfitters,Denim,Shoes'),
    products: split('Denim,Running Shoe,Rain Jacket,School Uniform,Athleisure,Winter Boot'),
  },
  {
    name: 'Beauty',
    brands: split('Dewdrop,Marigold & Moss,Velvet Fern,Clear Tide'),
    endings: split('Beauty,Skincare,Naturals'),
    products: split('Sunscreen,Face Serum,Shampoo,Lip Balm,Fragrance,Body Wash'),
  },
  {
    name: 'Household',
    brands: split('Brightwell,Tidewater,Hearthstone,Sparrow & Soap'),
    endings: split('Home,Cleaning Co.,Goods'),
    products: split('Laundry Pod,Dish Soap,Paper Towel,Candle,Air Freshener,Storage Bin'),
  },
  {
    name: 'Electronics',
    brands: split('Lumen Park,Quillon,Ardent,Fieldstone,Novabridge'),
    endings: split('Electronics,Audio,Labs'),
    products: split('Earbuds,Smart Thermostat,Tablet,Doorbell Camera,Game Console,Fitness Band'),
  },
  {
    name: 'Telecom',
    brands: split('Beacon,Clearline,Tallgrass,Skyreach'),
    endings: split('Wireless,Mobile,Broadband'),
    products: split('Family Plan,Fiber,Prepaid,5G Home,Phone Trade-In,Store Visit'),
  },
  {
    name: 'Finance',
    brands: split('Granite Trust,Harborview,Union Prairie,First Juniper'),
    endings: split('Bank,Credit Union,Financial'),
    products: split('Checking,Cash-Back Card,Mobile Banking,Mortgage,Savings,Branch Visit'),
  },
  {
    name: 'Insurance',
    brands: split('Lantern Mutual,Oakshield,Good Neighborly,Bridgeway'),
    endings: split('Insurance,Mutual,Assurance'),
    products: split('Auto Quote,Renters Policy,Claims,Bundle Offer,Telematics'),
  },
  {
    name: 'Automotive',
    brands: split('Rallye,Meridian,Vantage Hill,Silver Birch'),
    endings: split('Motors,Auto,Tires'),
    products: split('Compact SUV,Electric Pickup,Hybrid Sedan,Test Drive,Service Visit,All-Season Tire'),
  },
  {
    name: 'Travel',
    brands: split('Wayfarer,Bayberry,Coastal & Main,Summit Loop'),
    endings: split('Hotels,Airlines,Resorts,Cruises'),
    products: split('Weekend Getaway,Rewards Club,Family Vacation,Business Traveler,Airport Lounge'),
  },
  {
    name: 'Fitness',
    brands: split('Stride & Co,Iron Willow,Peakhouse'),
    endings: split('Fitness,Gyms,Athletics'),
    products: split('Gym Membership,Home Workout,Protein Shake,Yoga Class,Running Club'),
  },
  {
    name: 'Pets',
    brands: split('Waggle,Purrington,Good Paws,Barkley Lane'),
    endings: split('Pet Foods,Pets,Pet Supply'),
    products: split('Dog Treat,Cat Litter,Puppy Food,Pet Insurance,Grain-Free Kibble'),
  },
  {
    name: 'Entertainment',
    brands: split('Marquee Nine,Red Balloon,Daybreak,Silver Reel'),
    endings: split('Studios,Cinemas,Streaming,Games'),
    products: split('Streaming Trial,Movie Night,Trailer,Season Finale,Mobile Game,Theme Park'),
  },
  {
    name: 'Health',
    brands: split('Wellhaven,Sagebrook,Clear Harbor,Daily Dose'),
    endings: split('Pharmacy,Health,Wellness'),
    products: split('Flu Shot,Vitamin,Allergy Relief,Telehealth,Sleep Aid,Pain Relief'),
  },
]

/** First words of brands beyond the named ones. */
export const BRAND_WORDS = split(
  'Alder,Aspen,Birchwood,Blackberry,Bramble,Briar,Cedar,Chestnut,Cobalt,Copperfield,Coral,Cypress,Dahlia,Dogwood,Eastgate,Elder,Evergreen,Falcon,Foxglove,Glacier,Goldfinch,Hawthorn,Hazel,Heron,Hickory,Indigo,Ironwood,Ivory,Jasper,Kestrel,Lakeshore,Laurel,Lavender,Magnolia,Mallard,Mistral,Mulberry,Nightingale,Oakley,Olive,Opal,Orchard,Osprey,Pebble,Pepper,Plum,Poplar,Prairie,Primrose,Quarry,Redwood,Ridgeline,Robin,Rosewood,Saffron,Sequoia,Sierra,Spruce,Starling,Sycamore,Tamarack,Terrace,Timber,Violet,Walnut,Westfield,Wildflower,Willow,Windmill,Wren',
)
export const SEASONS = split('Spring,Summer,Back-to-School,Fall,Holiday,New Year,Game Day,Weekend,Everyday,Memorial Day')
export const STUDIES = split(
  'Tracker,Concept Test,Shopper Diary,Pulse,Package Test,Brand Health,Ad Recall,Taste Test,In-Store Audit,Usage & Attitudes,Price Check,Path to Purchase,Launch Study,Satisfaction,Segmentation,Mobile Ethnography',
)
export const CONTENT_STUDIES = split('Photo Contest,Shelf Photos,Unboxing,Recipe Share,Moments,Fan Stories,Store Selfie')
export const REGIONS = split('Northeast,Southeast,Midwest,Southwest,West,Mountain')
export const PARTNERS = split(
  'Opinion Harbor,Panelworks,Crowdfield Research,SampleStream,Respondent Row,Insight Commons,Voxly Panels,True North Sample,Fieldnote,Acorn Sample,Bright Panel,Pollen Research,Quorum Street,Sample Foundry,Surveyor & Sons,The Answer Company,Tally Services,Vantage Sample',
)
/** Internal notes on partners, in rotation. */
export const PARTNER_NOTES = [
  'Quick to answer, strong in the top 25 markets.',
  'Large panel, slower at the weekend. Ask for replacements early.',
  'Best prices for general population, 10 minutes or less.',
  'Good with parents and Hispanic audiences.',
  'Answers seldom: call before relying on them.',
  'Careful with incidence; their figures hold.',
  'Minimum invoice $1,500.',
  'New this year, not tried yet.',
] as const
export const TEAM_WORDS = split(
  'Insights,Brand,Shopper Marketing,Innovation,Media,Category,Digital,Consumer Research,Field Marketing,Loyalty',
)

export const FIRST_NAMES = split(
  'Aaliyah,Aaron,Abigail,Adam,Aisha,Alejandro,Alice,Amara,Amelia,Andre,Angela,Anika,Anthony,Ava,Beatriz,Benjamin,Bianca,Brandon,Brianna,Caleb,Camila,Carlos,Caroline,Charlotte,Chen,Chloe,Christopher,Claire,Connor,Daniel,Daniela,David,Deepa,Diego,Elena,Eli,Elizabeth,Emily,Emma,Eric,Ethan,Eva,Faith,Fatima,Felix,Gabriel,Gabriela,Grace,Hannah,Harper,Henry,Imani,Isaac,Isabella,Ivan,Jack,Jacob,Jada,James,Jasmine,Javier,Jenna,Jessica,Joel,Jordan,Jose,Julia,Kai,Katherine,Keisha,Kenji,Kevin,Kiara,Laila,Laura,Leah,Leo,Liam,Lily,Lucas,Lucia,Luis,Madison,Malik,Marcus,Maria,Mateo,Maya,Megan,Mei,Michael,Miguel,Mila,Monica,Nadia,Naomi,Natalie,Nathan,Nia,Nicole,Noah,Nora,Oliver,Olivia,Omar,Owen,Patrick,Paul,Peter,Priya,Rachel,Rafael,Raj,Rebecca,Ryan,Samantha,Samuel,Sara,Sean,Sofia,Sophie,Tara,Theo,Thomas,Tiffany,Trevor,Tyler,Victor,Victoria,Wei,William,Yara,Yusuf,Zara,Zoe',
)
export const LAST_NAMES = split(
  'Abbott,Adams,Adeyemi,Aguilar,Ahmed,Alvarez,Andersen,Bailey,Banerjee,Barnes,Becker,Bennett,Bishop,Brooks,Brown,Bryant,Campbell,Carter,Castillo,Chang,Chapman,Chavez,Clark,Cohen,Coleman,Collins,Cooper,Cruz,Cunningham,Das,Davis,Delgado,Diaz,Dixon,Douglas,Edwards,Ellis,Estrada,Evans,Fernandez,Fields,Fischer,Flores,Ford,Foster,Fox,Freeman,Garcia,Gibson,Gomez,Gonzalez,Graham,Grant,Gray,Greene,Griffin,Gupta,Hall,Hamilton,Hansen,Harris,Hayes,Hernandez,Hill,Holmes,Howard,Hughes,Hunter,Ibrahim,Jackson,Jenkins,Johnson,Jones,Jordan,Kelly,Khan,Kim,King,Knight,Kumar,Larsen,Lee,Lewis,Lin,Lopez,Marshall,Martin,Martinez,Mason,Mehta,Mendoza,Meyer,Miller,Mitchell,Morales,Morgan,Morris,Murphy,Murray,Myers,Nakamura,Navarro,Nelson,Nguyen,Novak,Okafor,Olsen,Ortiz,Owens,Palmer,Park,Parker,Patel,Perez,Peterson,Phillips,Pierce,Porter,Powell,Price,Ramirez,Reed,Reyes,Reynolds,Richardson,Rivera,Roberts,Robinson,Rodriguez,Rogers,Rose,Ross,Ruiz,Russell,Sanchez,Sanders,Santos,Schmidt,Scott,Shah,Shaw,Simmons,Singh,Smith,Snyder,Stevens,Stewart,Sullivan,Tanaka,Taylor,Thomas,Thompson,Torres,Tran,Turner,Vargas,Vasquez,Wagner,Walker,Wallace,Ward,Washington,Watson,Weaver,Webb,Wells,West,White,Williams,Wilson,Wong,Wood,Woods,Wright,Yang,Young,Zhang,Zimmerman',
)
export const STREETS = split(
  'Main St,Oak Ave,Maple Ave,Cedar St,Market St,Washington Blvd,Park Ave,Lakeview Dr,Commerce Pkwy,Highland Rd,2nd St,5th Ave,Broadway,College Ave,River Rd,Mill St',
)

/** Staff notes; `{partner}`, `{product}` and `{date}` are filled in. */
export const NOTES = [
  'Client wants a soft launch of 50 before the full release.',
  'Agreed with {partner}: replacements for speeders at no cost.',
  'Please keep the {product} images out of the screener, they give the brand away.',
  'Quota for 18 to 24 is slow. Widened the age bands by a year on the partner side.',
  'Spanish version is approved. Link added to the survey URL.',
  'Call with the client on {date}: they need toplines two days before the end date.',
  'Open ends checked by hand, 12 removed.',
  'Incidence is lower than quoted. {partner} will hold the price this once.',
  'Creative changed: new {product} pack shots uploaded.',
  'Client asked for weekly pacing emails, every Tuesday.',
  'Weekend pause agreed, the store is closed for inventory.',
  'Fraud check done: duplicate devices removed before billing.',
  'Extended by three days to reach the regional quota.',
  'Approved by phone, documents follow.',
  'Remember: rewards for this one go out after the client signs off the data.',
] as const

export const REASONS = {
  paused: [
    'The client is changing a question.',
    'Quota check before the last third.',
    'Stimulus had a typo; new file on its way.',
  ],
  rejected: [
    'The budget was moved to next quarter.',
    'Incidence is too low for this price.',
    'The client withdrew the request.',
    'Duplicate of another request.',
  ],
  quote: [
    'Over budget: please quote again with a shorter interview.',
    'We need it in field a week earlier.',
    'Price per complete is above our rate card.',
  ],
  cannot: [
    'The incidence is below what our panel can carry.',
    'No capacity in these markets before the end date.',
    'The interview is too long for our members.',
  ],
  entry: [
    'Speeder: finished in under a third of the median time.',
    'Same device as another entry.',
    'Photo does not show the product.',
    'Outside the targeted markets.',
  ],
} as const

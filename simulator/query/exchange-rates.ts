/** Invented middle rates, the same on every day: denars for one unit of the currency, for a hundred of JPY. */
export const EXCHANGE_RATES = [
  { name: 'EUR', code: '978', country: 'EMU', middleRate: 61.695 },
  { name: 'USD', code: '840', country: 'USA', middleRate: 53.1842 },
  { name: 'GBP', code: '826', country: 'Great Britain', middleRate: 70.4105 },
  { name: 'CHF', code: '756', country: 'Switzerland', middleRate: 66.2387 },
  { name: 'SEK', code: '752', country: 'Sweden', middleRate: 5.6213 },
  { name: 'NOK', code: '578', country: 'Norway', middleRate: 5.2391 },
  { name: 'JPY', code: '392', country: 'Japan', middleRate: 34.7258 },
  { name: 'DKK', code: '208', country: 'Denmark', middleRate: 8.2631 },
  { name: 'CAD', code: '124', country: 'Canada', middleRate: 37.9046 },
  { name: 'AUD', code: '036', country: 'Australia', middleRate: 34.8817 },
  { name: 'BGN', code: '975', country: 'Bulgaria', middleRate: 31.5443 },
  { name: 'CZK', code: '203', country: 'Czech Republic', middleRate: 2.5348 },
] as const;

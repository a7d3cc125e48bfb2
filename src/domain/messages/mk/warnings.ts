import { WARNINGS as ENGLISH } from '../en/warnings.ts';
import { translationOf } from '../translation.ts';

export const WARNINGS = translationOf(ENGLISH, {
  'more-warnings': 'Број на други предупредувања: {count}',
  'directive-unknown': '„{text}“ не е познато упатство и е изоставено',
  'delivery-date-left-out':
    'Испораката на {date} е по датумот на документот ({documentDate}), што УЈП не го прифаќа, па е изоставена',
  'delivery-terms-left-out': 'Условите за испорака се изоставени: на нивното место е местото на испорака',
  'period-left-out': 'Периодот завршува на {end}, пред да започне на {start}, па е изоставен',
  'due-dates-left-out': 'Документот има повеќе рокови за плаќање; испратен е {sent}, а не {others}',
  'payment-means-left-out': 'Наведени се повеќе начини на плаќање; испратен е само првиот',
  'payment-periods-left-out': 'Наведени се повеќе рокови за плаќање во денови; испратен е само првиот',
  'payment-period-left-out': 'Рокот за плаќање не е цел број денови (единица DAY), па е изоставен',
  'payment-type-assumed': 'Не е наведен начин на плаќање; земен е {code} ({name})',
  'payment-type-taken': 'Начинот на плаќање „{means}“ нема своја шифра кај УЈП; земен е {code} ({name})',
  'exchange-rate-assumed':
    'Не е наведен девизен курс меѓу {currency} и {denar}; земен е курсот на Народната банка на датумот на документот',
  'exchange-rate-date-assumed': 'Девизниот курс нема датум; земен е датумот на документот',
  'allowance-total-differs':
    'Како збир на попустите на документот е наведено {stated}, а тие се собираат на {computed}; евидентиран е вториот износ',
  'charge-total-differs':
    'Како збир на доплатите на документот е наведено {stated}, а тие се собираат на {computed}; евидентиран е вториот износ',
  'payable-rounded':
    'Наведениот износ за плаќање е {stated}, а се регистрира {registered}, бидејќи УЈП го заокружува вкупниот износ {total} на цели денари',

  'party-not-registered': 'Податоци за {party} нема во регистарот на УЈП: називот и адресата се земени од документот',
  'person-assumed': 'Купувачот нема даночен број, па е земен како физичко лице',
  'buyer-number-missing':
    'УЈП може да одбие документ од вид {type} без даночен број на купувачот: само за вид {personType} е познато дека не е потребен',
  'personal-number-left-out': 'Бројот на купувачот е матичен број на физичко лице (ЕМБГ), па е изоставен',
  'vat-number-left-out': 'Даночниот обврзник {taxpayer} не е регистриран за ДДВ кај УЈП: неговиот ДДВ-број е изоставен',
  'address-lines-left-out': 'Дополнителните редови од адресата на {party} се изоставени',
  'house-number-assumed': 'Адресата на {party} нема куќен број; испратено е „{sent}“ (без број)',
  'house-number-moved': 'Куќниот број во адресата на {party} е предолг за своето место, па е испратен зад улицата',
  'postal-code-assumed': 'Адресата на {party} нема поштенски број; испратено е „{sent}“',
  'postal-code-moved':
    'Поштенскиот број во адресата на {party} е подолг отколку што дозволува УЈП, па е додаден зад местото',

  'reference-left-out': 'Упатувањето е изоставено: {reason}',
  'references-refused': 'УЈП одби упатувања на документи од вид {type}',
  'refused-for-references': 'УЈП го одби документот поради неговите упатувања',
  'refused-for-same-day-reference': 'УЈП го одби документот со упатување од истиот датум како документот ({date})',
  'reference-not-taken': 'документ од вид {type} не прима вакво упатување',
  'reference-without-number': 'нема број',
  'reference-number-too-long': 'неговиот број има {length} знаци, повеќе од {limit}',
  'reference-without-date': 'нема датум',
  'reference-later': 'неговиот датум {date} е по датумот на документот ({documentDate})',
  'reference-type-unserved': 'во списокот на УЈП нема соодветен вид на упатување',
  'reference-not-registered':
    'Не е познато дека претходната фактура „{number}“ е регистрирана, па е наведена како друг документ',

  'line-left-out': 'Ставката има количина 0, па е изоставена',
  'quantity-negative': 'Количината е негативна, што УЈП може да го одбие',
  'unit-assumed': 'Ставката нема единица мерка; испратено е „{sent}“ (парчиња)',
  'item-code-left-out': 'Стандардната шифра на артиклот е изоставена: на нејзиното место е шифрата на продавачот',
  'item-description-left-out': 'Описот на артиклот е изоставен: на неговото место е називот',
  'unit-price-rounded':
    'Цената е заокружена и не го дава износот на ставката, па се испраќа единечна цена што го дава; вакви ставки: {count}',
  'exemption-assumed':
    'Прометот е ослободен, а причината не е наведена; земен е {code} (ослободено без право на одбивка)',
  'reverse-charge-rate-assumed':
    'За пренесувањето на даночната обврска не е наведена стапка; земена е {percent} % ({code}), како што е поставено за даночниот обврзник',

  'text-shortened': 'Од {length} на {limit} знаци е скратен текстот: {what}',
  'text-left-out': 'Изоставен е текстот што има {length} знаци, повеќе од {limit}: {what}',
  'text-notes': 'забелешките',
  'text-delivery': 'испораката',
  'text-payment-terms': 'условите за плаќање',
  'text-payment-note': 'напомената за плаќањето',
  'text-interest': 'каматата',
  'text-discount': 'попустот',
  'text-correction-comment': 'коментарот за корекцијата',
  'text-party-name': 'називот на {party}',
  'text-email': 'адресата за е-пошта на {party}',
  'text-contact': 'контактот на {party}',
  'text-street': 'улицата на {party}',
  'text-city': 'местото на {party}',
  'text-location-code': 'шифрата на местото на испорака',
  'text-location-name': 'називот на местото на испорака',
  'text-location-address': 'адресата на местото на испорака',
  'text-item-name': 'називот на артиклот',
  'text-item-code': 'шифрата на артиклот',
  'text-tariff-code': 'тарифната ознака на артиклот',
  'text-unit': 'единицата мерка на ставката',
});

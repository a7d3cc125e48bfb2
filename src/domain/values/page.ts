export const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 500;

export type PageRequest = { readonly page: number; readonly pageSize: number };

export type Page<Item> = {
  readonly items: readonly Item[];
  readonly totalCount: number;
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
};

export function pageOf<Item>(request: PageRequest, items: readonly Item[], totalCount: number): Page<Item> {
  return { items, totalCount, ...request, totalPages: Math.ceil(totalCount / request.pageSize) };
}

export function pageOffset(request: PageRequest): number {
  return (request.page - 1) * request.pageSize;
}

import type { Component, InjectionKey } from "vue";

/** The component that the filters' links are made with, where a framework has its own in place of the router's. */
export const FILTER_LINK: InjectionKey<Component> = Symbol("filter link");

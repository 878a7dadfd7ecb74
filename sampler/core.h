/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIGIL_SAMPLER_CORE_H
#define VIGIL_SAMPLER_CORE_H
#include "sampler/sampler-data.h"
#endif

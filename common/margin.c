/* SPDX-License-Identifier: Apache-2.0 */
/* Calculates margins of error of shares. */
#include "common/compat.h"
#include "common/margin.h"

#include <math.h>

double margin_effective_samples(double all, double made, double squares)
{
	double by_weight, seen = all - made;

	/* With /proc alone no sample is real: seen is 0. */
	if (made <= 0 || seen <= 0)
		return all;
	by_weight = all * all / (seen + 2 * made + squares);
	return by_weight < seen ? by_weight : seen;
}

double margin_less_variance(double independent, double all, double variance)
{
	if (variance <= 0 || independent <= 0)
		return independent;
	return all * all / (all * all / independent + variance);
}

double margin_placed_variance(const struct margin_basis *basis, double placed)
{
	double part = placed < basis->placed ? placed / basis->placed : 1;

	return basis->placed > 0 ? basis->variance * part * (1 - part) : 0;
}

double margin_of_row(const struct margin_basis *basis, double samples, double placed)
{
	double share = basis->all > 0 ? samples / basis->all : 0, looks = basis->observed;

	/* That a sum of samples varies as if this were the variance of a share of one half. */
	if (share > 0 && share < 1)
		looks = margin_less_variance(looks, basis->all,
					     margin_placed_variance(basis, placed) / (share * (1 - share)));
	return margin_of_share(share, looks);
}

double margin_of_any_row(const struct margin_basis *basis, double samples)
{
	double least = samples - (basis->all - basis->placed), most = samples < basis->placed ? samples : basis->placed;
	double placed = basis->placed / 2;

	if (placed < least)
		placed = least;
	return margin_of_row(basis, samples, placed < most ? placed : most);
}

double margin_of_share(double share, double looks)
{
	const double square = MARGIN_DEVIATIONS * MARGIN_DEVIATIONS;

	if (looks <= 0)
		return 0;
	if (share < 0 || share > 1)
		share = share < 0 ? 0 : 1;
	/* A large share is as certain as the small remainder. */
	if (share > 0.5)
		share = 1 - share;
	return (square / 2 - share * square +
		MARGIN_DEVIATIONS * sqrt(looks * share * (1 - share) + square / 4)) /
	       (looks + square);
}
